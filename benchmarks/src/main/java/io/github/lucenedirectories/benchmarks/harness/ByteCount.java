package io.github.lucenedirectories.benchmarks.harness;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as a user writes it: {@code 512}, {@code 64k}, {@code 1400m}, {@code 2g}. */
public final class ByteCount implements ITypeConverter<Long> {
  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,12})([kmgKMG]?)");

  /**
   * The bytes that {@code text} stands for; k, m and g are powers of 1024.
   *
   * @throws IllegalArgumentException if it is not a positive number in this form
   */
  public static long parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw refused(text);
    }
    int shift =
        switch (matcher.group(2)) {
          case "k", "K" -> 10;
          case "m", "M" -> 20;
          case "g", "G" -> 30;
          default -> 0;
        };
    long bytes = Long.parseLong(matcher.group(1)) << shift;
    if (bytes <= 0 || bytes >> shift != Long.parseLong(matcher.group(1))) {
      throw refused(text);
    }
    return bytes;
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "not a number of bytes: '" + text + "' (write for example 65536, 64k, 1400m or 2g)");
  }

  @Override
  public Long convert(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
