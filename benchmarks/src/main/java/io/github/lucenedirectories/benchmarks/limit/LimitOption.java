package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory as a user gives it: a number with a unit, or a share of the index.
 *
 * @param bytes 0 if it is a share
 * @param share of the index's bytes; 0 if it is a number
 */
public record LimitOption(long bytes, double share) {
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})([kmg])");
  private static final Pattern SHARE = Pattern.compile("(\\d{1,4}(?:\\.\\d+)?)%");

  /**
   * Reads a number and its unit, or a number of per cent.
   *
   * @param option its name, for the message
   * @throws UsageException if it is neither
   */
  public static LimitOption parse(String option, String text) {
    Matcher share = SHARE.matcher(text);
    if (share.matches()) {
      return new LimitOption(0, Double.parseDouble(share.group(1)) / 100);
    }
    Matcher number = NUMBER.matcher(text.toLowerCase(Locale.ROOT));
    if (number.matches()) {
      int shift = 10 * (1 + "kmg".indexOf(number.group(2)));
      return new LimitOption(Long.parseLong(number.group(1)) << shift, 0);
    }
    throw new UsageException(
        option + " must be like 700m, 1g, or 50% of the index: '" + text + "'");
  }

  /** The bytes it means for an index. */
  public long of(long indexBytes) {
    return share > 0 ? (long) (share * indexBytes) : bytes;
  }
}
