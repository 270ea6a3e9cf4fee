package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that measures in several JVMs and writes {@code results.json}. */
final class ForkOptions {
  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "JVMs of each directory, interleaved (default: 5; with --quick: 2)")
  private @Nullable Integer forks;

  @Option(names = "--quick", description = "fewer and shorter forks: a first look")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of contents, orders and resampling (default: ${DEFAULT-VALUE})",
      defaultValue = "42")
  private long seed = 42;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "for results.json (default: target/ and the command's name)")
  private @Nullable Path out;

  /** How many JVMs of each directory. */
  int forks() {
    return atLeast(1, "--forks", forks, 5, 2);
  }

  long seed() {
    return seed;
  }

  /** The folder for what is written, made ready. */
  Path out(String command) {
    Path folder = out == null ? Path.of("target", command) : out;
    MicroReport.prepare(folder);
    return folder;
  }

  /**
   * A number that the user gave, or its default.
   *
   * @throws UsageException if it is less than {@code least}
   */
  int atLeast(int least, String option, @Nullable Integer given, int usual, int quickly) {
    int value = given != null ? given : quick ? quickly : usual;
    if (value < least) {
      throw new UsageException(option + " must be at least " + least + ": " + value);
    }
    return value;
  }
}
