package io.github.lucenedirectories.benchmarks.nrt;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How much is updated each second: documents, or millions of bytes of their text.
 *
 * @param amount of documents, or of megabytes
 */
record UpdateRate(double amount, boolean inMegabytes) {
  private static final Pattern FORM = Pattern.compile("(\\d+)|(\\d+(?:\\.\\d+)?)MB");
  private static final double MEGABYTE = 1e6;

  /** Reads {@code 1000} or {@code 1.5MB}. */
  static final class Converter implements ITypeConverter<UpdateRate> {
    @Override
    public UpdateRate convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "not a rate: '" + text + "' (write 1000 for documents, 1MB for bytes of them)");
      }
      return matcher.group(1) == null
          ? new UpdateRate(Double.parseDouble(matcher.group(2)), true)
          : new UpdateRate(Double.parseDouble(text), false);
    }
  }

  /**
   * Documents a second, at least one.
   *
   * @param meanBytes of a document
   */
  int documents(double meanBytes) {
    return (int) Math.max(1, Math.round(inMegabytes ? amount * MEGABYTE / meanBytes : amount));
  }
}
