package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.LineFileCorpus;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which index a workload uses. */
public final class IndexOptions {

  @Option(
      names = "--docs",
      arity = "1..*",
      paramLabel = "FILE",
      description = "luceneutil line files, plain or gzip; default: Europarl lines")
  private List<Path> docs = List.of();

  @Option(names = "--copies", paramLabel = "N", description = "index the text N times (default: 1)")
  private @Nullable Integer copies;

  @Option(
      names = "--index",
      paramLabel = "PATH",
      description = "search an index that exists; it is only read")
  private @Nullable Path index;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "the text field of --index (default: ${DEFAULT-VALUE})",
      defaultValue = "body")
  private String field = "body";

  /**
   * Refuses at once what needs no index to be refused.
   *
   * @throws UsageException if the options contradict each other or a file is missing
   */
  public void check() {
    if (copies() < 1) {
      throw new UsageException("--copies must be more than 0: " + copies());
    }
    if (index != null && (!docs.isEmpty() || copies != null)) {
      throw new UsageException("--index names an index that exists: leave out --docs and --copies");
    }
    LineFileCorpus.check(docs);
  }

  List<String> docs() {
    return docs.stream().map(Path::toString).toList();
  }

  int copies() {
    return copies == null ? 1 : copies;
  }

  @Nullable String index() {
    return index == null ? null : index.toString();
  }

  /** The text field that queries search. */
  public String field() {
    return field;
  }
}
