// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as a user writes it: {@code 512}, {@code 64k}, {@code 1400m}, {@code 2g}. */
public final class ByteCount implements ITypeConverter<Long> {
  /* At the place of each power of 1024; the empty suffix is found at its start. */
  private static final String UNITS = " kmg";

  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,12})([kmgKMG]?)");

  /** The bytes of a text; k, m and g are powers of 1024. Refuses what is not positive. */
  public static long parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    double bytes = 0;
    if (matcher.matches()) {
      int power = UNITS.indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
      bytes = Long.parseLong(matcher.group(1)) * Math.pow(1024, power);
    }
    if (bytes <= 0 || bytes >= Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "not a number of bytes: '" + text + "' (write for example 65536, 64k, 1400m or 2g)");
    }
    return (long) bytes;
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
