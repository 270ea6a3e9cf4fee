package io.github.lucenedirectories.benchmarks.harness;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time in milliseconds as a user writes it: {@code 100ms}, {@code 0.5s}, {@code 3m}. */
public final class MillisConverter implements ITypeConverter<Double> {
  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m)");
  private static final double MILLIS_IN_SECOND = 1e3;
  private static final double MILLIS_IN_MINUTE = 60e3;

  @Override
  public Double convert(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    double millis =
        matcher.matches() ? Double.parseDouble(matcher.group(1)) * millisIn(matcher.group(2)) : 0;
    if (millis <= 0) {
      throw new TypeConversionException("not a time: '" + text + "' (write 100ms, 2s or 3m)");
    }
    return millis;
  }

  private static double millisIn(String unit) {
    return switch (unit) {
      case "s" -> MILLIS_IN_SECOND;
      case "m" -> MILLIS_IN_MINUTE;
      default -> 1;
    };
  }
}
