package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.corpus.LineFileCorpus;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which text a workload indexes. */
public final class TextOptions {

  @Option(
      names = "--docs",
      arity = "1..*",
      paramLabel = "FILE",
      description = "luceneutil line files, plain or gzip; default: Europarl lines")
  private List<Path> docs = List.of();

  @Option(names = "--copies", paramLabel = "N", description = "index the text N times (default: 1)")
  private @Nullable Integer copies;

  /**
   * Refuses at once what needs no reading to be refused.
   *
   * @throws UsageException if a number makes no sense or a file is missing
   */
  public void check() {
    if (spec().copies() < 1) {
      throw new UsageException("--copies must be more than 0: " + copies);
    }
    LineFileCorpus.check(docs);
  }

  /** Whether the user named any of them. */
  boolean isGiven() {
    return !docs.isEmpty() || copies != null;
  }

  /** The text that they name. */
  public CorpusSpec spec() {
    return new CorpusSpec(docs.stream().map(Path::toString).toList(), copies == null ? 1 : copies);
  }
}
