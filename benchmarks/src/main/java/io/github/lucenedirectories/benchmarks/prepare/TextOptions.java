// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.tools.console.UsageException;
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
  private List<String> docs = List.of();

  @Option(names = "--copies", paramLabel = "N", description = "index the text N times (default: 1)")
  private @Nullable Integer copies;

  /** Refuses at once what needs no reading to be refused. */
  public void check() {
    if (spec().copies() < 1) {
      throw new UsageException("--copies must be more than 0: " + copies);
    }
    spec().check();
  }

  public boolean isGiven() {
    return !docs.isEmpty() || copies != null;
  }

  public Corpus spec() {
    return new Corpus(docs, copies == null ? 1 : copies);
  }
}
