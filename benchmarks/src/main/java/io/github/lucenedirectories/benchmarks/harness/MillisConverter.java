// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time in milliseconds as a user writes it: {@code 100ms}, {@code 0.5s}, {@code 3m}. */
public final class MillisConverter implements ITypeConverter<Double> {
  private static final Map<String, Double> UNITS = Map.of("ms", 1.0, "s", 1e3, "m", 60e3);
  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m)");

  @Override
  public Double convert(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    double millis =
        matcher.matches()
            ? Double.parseDouble(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 0.0)
            : 0;
    if (millis <= 0) {
      throw new TypeConversionException("not a time: '" + text + "' (write 100ms, 2s or 3m)");
    }
    return millis;
  }
}
