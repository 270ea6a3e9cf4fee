package io.github.lucenedirectories.benchmarks.corpus;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** The two date formats of line files: luceneutil's {@code 09-FEB-2012 11:54:22.000}, and a day. */
final class LineDates {
  private static final int SECONDS_OF_DAY = 24 * 60 * 60;
  private static final DateTimeFormatter LUCENEUTIL =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("dd-MMM-yyyy HH:mm:ss[.SSS]")
          .toFormatter(Locale.ENGLISH);

  private LineDates() {}

  /**
   * Milliseconds since 1970, UTC.
   *
   * @param salt gives a date without a time its second of the day, the same one for the same salt,
   *     so that sorting and ranges by time have something to tell apart
   * @throws IllegalArgumentException if the text is in neither format
   */
  static long epochMillis(String text, int salt) {
    try {
      if (text.length() == "yyyy-MM-dd".length()) {
        long second = Math.floorMod(salt, SECONDS_OF_DAY);
        return LocalDate.parse(text)
            .atStartOfDay()
            .plusSeconds(second)
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
      }
      return LocalDateTime.parse(text, LUCENEUTIL).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "the date '" + text + "' is neither dd-MMM-yyyy HH:mm:ss.SSS nor yyyy-MM-dd", e);
    }
  }
}
