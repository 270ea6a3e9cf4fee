package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one luceneutil line file: {@code title TAB date TAB body [TAB label]}, or the
 * order that a header line names. One file has one format; not for several threads.
 */
public final class LineFormat {
  private static final String HEADER = "FIELDS_HEADER_INDICATOR###";

  private final String source;
  private int title = 0;
  private int date = 1;
  private int body = 2;
  private int label = 3;

  /**
   * @param source the file's name, for messages
   */
  public LineFormat(String source) {
    this.source = source;
  }

  /**
   * The document of a line, or null for a header line.
   *
   * @param number of the line, from 1
   * @throws UsageException if the line lacks a column or its date cannot be read
   */
  public @Nullable LineDocument parse(String line, long number) {
    String[] columns = line.split("\t", -1);
    if (columns[0].equals(HEADER)) {
      readHeader(columns, number);
      return null;
    }
    int last = Math.max(title, Math.max(date, body));
    if (columns.length <= last) {
      throw new UsageException(
          at(number)
              + (columns.length == 1 ? "a line without tabs" : columns.length + " columns")
              + ", expected title TAB date TAB body");
    }
    long epochMillis;
    try {
      epochMillis = LineDates.epochMillis(columns[date], line.hashCode());
    } catch (IllegalArgumentException e) {
      throw new UsageException(at(number) + e.getMessage(), e);
    }
    boolean labelled = label >= 0 && label < columns.length && !columns[label].isBlank();
    return new LineDocument(
        columns[title], epochMillis, columns[body], labelled ? columns[label] : null);
  }

  private void readHeader(String[] columns, long number) {
    List<String> names = Arrays.asList(columns).subList(1, columns.length);
    title = names.indexOf("doctitle");
    date = names.indexOf("docdate");
    body = names.indexOf("body");
    label = names.indexOf("RandomLabel");
    if (title < 0 || date < 0 || body < 0) {
      throw new UsageException(
          at(number) + "the header names no doctitle, docdate or body: " + names);
    }
  }

  private String at(long number) {
    return source + ":" + number + ": ";
  }
}
