// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.tools.console.UsageException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one luceneutil line file: {@code title TAB date TAB body [TAB label]}, or the
 * order that a header line names. A date is luceneutil's {@code 09-FEB-2012 11:54:22.000} or a day.
 * One file has one format; not for several threads.
 */
final class LineFormat {
  private static final String HEADER = "FIELDS_HEADER_INDICATOR###";
  private static final int SECONDS_OF_DAY = 24 * 60 * 60;
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("dd-MMM-yyyy HH:mm:ss[.SSS]")
          .toFormatter(Locale.ENGLISH);

  private final String source;
  private long number;
  private int title = 0;
  private int date = 1;
  private int body = 2;
  private int label = 3;

  LineFormat(String source) {
    this.source = source;
  }

  /** The document of the next line; null for a header. Refuses what cannot be read. */
  @Nullable LineDocument parse(String line) {
    number++;
    String[] columns = line.split("\t", -1);
    if (columns[0].equals(HEADER)) {
      readHeader(columns);
      return null;
    }
    if (columns.length <= Math.max(title, Math.max(date, body))) {
      throw new UsageException(
          at()
              + (columns.length == 1 ? "a line without tabs" : columns.length + " columns")
              + ", expected title TAB date TAB body");
    }
    boolean labelled = label >= 0 && label < columns.length && !columns[label].isBlank();
    return new LineDocument(
        columns[title],
        epochMillis(columns[date], line.hashCode()),
        columns[body],
        labelled ? columns[label] : null);
  }

  /**
   * Milliseconds since 1970, UTC.
   *
   * @param salt gives a date without a time its second of the day, the same one for the same salt,
   *     so that sorting and ranges by time have something to tell apart
   */
  private long epochMillis(String text, int salt) {
    try {
      LocalDateTime time =
          text.length() == "yyyy-MM-dd".length()
              ? LocalDate.parse(text)
                  .atStartOfDay()
                  .plusSeconds(Math.floorMod(salt, SECONDS_OF_DAY))
              : LocalDateTime.parse(text, DATE);
      return time.toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      throw new UsageException(
          at() + "the date '" + text + "' is neither dd-MMM-yyyy HH:mm:ss.SSS nor yyyy-MM-dd", e);
    }
  }

  private void readHeader(String[] columns) {
    List<String> names = Arrays.asList(columns).subList(1, columns.length);
    title = names.indexOf("doctitle");
    date = names.indexOf("docdate");
    body = names.indexOf("body");
    label = names.indexOf("RandomLabel");
    if (title < 0 || date < 0 || body < 0) {
      throw new UsageException(at() + "the header names no doctitle, docdate or body: " + names);
    }
  }

  private String at() {
    return source + ":" + number + ": ";
  }
}
