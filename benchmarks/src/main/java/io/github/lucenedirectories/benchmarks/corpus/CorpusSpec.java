package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.nio.file.Path;
import java.util.List;

/**
 * Which text a workload uses.
 *
 * @param docs paths of line files; empty for the Europarl lines
 * @param copies how often the text is repeated
 */
public record CorpusSpec(List<String> docs, int copies) {

  /**
   * The text, not yet read.
   *
   * @throws UsageException if a file does not exist or cannot be read
   */
  public Corpus open() {
    return new RepeatedCorpus(openOnce(), copies);
  }

  /** As {@link #open}, not repeated. */
  public Corpus openOnce() {
    return docs.isEmpty()
        ? new EuroparlCorpus()
        : new LineFileCorpus(docs.stream().map(Path::of).toList());
  }
}
