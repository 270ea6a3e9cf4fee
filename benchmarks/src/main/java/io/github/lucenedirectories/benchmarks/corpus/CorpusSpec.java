package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The text that a workload uses.
 *
 * @param docs paths of line files; empty for the Europarl lines
 * @param copies how often the text is repeated, for a larger index
 */
public record CorpusSpec(List<String> docs, int copies) implements Corpus {

  /**
   * The text, not yet read and not repeated.
   *
   * @throws UsageException if a file does not exist or cannot be read
   */
  public Corpus once() {
    return docs.isEmpty()
        ? new EuroparlCorpus()
        : new LineFileCorpus(docs.stream().map(Path::of).toList());
  }

  @Override
  public void forEach(Sink sink) throws IOException {
    for (int copy = 0; copy < copies; copy++) {
      once().forEach(sink);
    }
  }

  @Override
  public String description() {
    return once().description() + (copies == 1 ? "" : ", " + copies + " copies");
  }

  @Override
  public String fingerprint() throws IOException {
    return once().fingerprint() + " x" + copies;
  }
}
