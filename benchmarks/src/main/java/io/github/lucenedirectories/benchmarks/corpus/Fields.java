// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** The fields of the benchmarks' index, and how its text is analysed. */
public final class Fields {
  /** Text: terms, frequencies, positions, norms; stored. */
  public static final String BODY = "body";

  /** Stored, and sorted doc values. */
  public static final String TITLE = "title";

  /** A unique key: six characters in base 36, one term a document; stored. */
  public static final String ID = "id";

  /** Milliseconds since 1970: long points and numeric doc values. */
  public static final String LAST_MODIFIED = "lastmod";

  /** The second of the day: int points. */
  public static final String SECOND_OF_DAY = "timesecnum";

  /** 1 to 366: numeric doc values. */
  public static final String DAY_OF_YEAR = "dayOfYear";

  /** 01 to 12: sorted doc values. */
  public static final String MONTH = "month";

  /** One of a thousand labels: sorted-set doc values. */
  public static final String LABEL = "RandomLabel";

  /** A unit vector made from the body. */
  public static final String VECTOR = "vector";

  /* Never closed, and for all threads. */
  private static final Analyzer ANALYZER = new StandardAnalyzer();

  private Fields() {}

  /** The analysis of {@link #BODY}, for indexing, parsing and highlighting alike. */
  public static Analyzer analyzer() {
    return ANALYZER;
  }

  /** The words of a text, as they are indexed. */
  public static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    try (TokenStream tokens = ANALYZER.tokenStream(BODY, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(term.toString());
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException("reading a text in memory", e);
    }
    return words;
  }
}
