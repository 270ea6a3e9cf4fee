// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that every workload has. How many JVMs there are and for how long, where the user
 * names nothing, is the command's to say.
 */
public final class RunOptions {

  @Option(names = "--forks", paramLabel = "N", description = "JVMs of each directory")
  private @Nullable Integer forks;

  @Option(names = "--seconds", paramLabel = "S", description = "measured in each fork")
  private @Nullable Double seconds;

  @Option(names = "--warmup", paramLabel = "S", description = "dropped in each fork")
  private @Nullable Double warmup;

  @Option(names = "--quick", description = "fewer and shorter forks")
  private boolean quick;

  @Option(names = "--json", description = "print results.json in place of tables")
  boolean json;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(names = "--seed", paramLabel = "N", description = "of all that is random (default: 42)")
  private long seed = 42;

  @Option(names = "--out", paramLabel = "DIR", description = "of results (default: target/COMMAND)")
  private @Nullable Path out;

  /** What a command takes for options that were not given, in each fork. */
  public record Defaults(int forks, double warmupSeconds, double seconds) {}

  /** What the user asked for: without and with {@code --quick}, unless numbers are given. */
  public Defaults values(Defaults full, Defaults quickly) {
    Defaults otherwise = quick ? quickly : full;
    Defaults values =
        new Defaults(
            forks == null ? otherwise.forks() : forks,
            warmup == null ? otherwise.warmupSeconds() : warmup,
            seconds == null ? otherwise.seconds() : seconds);
    positive("--forks", values.forks());
    positive("--seconds", values.seconds());
    refuse(
        !(values.warmupSeconds() >= 0), "--warmup must not be negative: " + values.warmupSeconds());
    return values;
  }

  /** Refuses what the user asked for, if it is wrong. */
  public static void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw new UsageException(message);
    }
  }

  /** Refuses a number that is not positive. */
  public static void positive(String option, double value) {
    String text = value == Math.rint(value) ? Long.toString((long) value) : "" + value;
    refuse(!(value > 0), option + " must be more than 0: " + text);
  }

  public PrintWriter out() {
    return Objects.requireNonNull(command).commandLine().getOut();
  }

  public boolean isQuick() {
    return quick;
  }

  public String commandLine() {
    return "./run "
        + String.join(
            " ",
            Objects.requireNonNull(command).root().commandLine().getParseResult().originalArgs());
  }

  public long seed() {
    return seed;
  }

  public Path out(String command) {
    return out == null ? Path.of("target", command) : out;
  }
}
