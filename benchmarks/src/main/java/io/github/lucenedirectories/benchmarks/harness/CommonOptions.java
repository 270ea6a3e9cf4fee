package io.github.lucenedirectories.benchmarks.harness;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that measures: from which seed, and where the results go. */
public final class CommonOptions {

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of what is random, of orders and of resampling (default: ${DEFAULT-VALUE})",
      defaultValue = "42")
  private long seed = 42;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "for the results and what is built (default: target/COMMAND)")
  private @Nullable Path out;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  @SuppressWarnings("unused") // picocli asks its annotation, not its value
  private boolean help;

  /** The seed of everything random. */
  public long seed() {
    return seed;
  }

  /**
   * The folder for results.
   *
   * @param command its name, for the folder to take where the user named none
   */
  public Path out(String command) {
    return out == null ? Path.of("target", command) : out;
  }
}
