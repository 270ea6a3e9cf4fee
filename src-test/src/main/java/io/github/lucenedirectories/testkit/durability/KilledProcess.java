package io.github.lucenedirectories.testkit.durability;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running {@link CommittingProcess}, what it has said so far, and its end by SIGKILL. Safe for
 * one thread.
 */
public final class KilledProcess implements Closeable {

  /** What the shell reports for a process that SIGKILL ended. */
  private static final int KILLED = 128 + 9;

  /** The process ends by itself if it is not killed. */
  private static final int MOST_COMMITS = 2_000;

  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final BufferedReader lines;
  private final Path errors;
  private long attempted;
  private long acknowledged;

  /**
   * Starts the process.
   *
   * @param errors the file that takes its error output
   * @param seed of the history that it commits
   * @param directory kind of directory, as {@link CommittingProcess} names it
   */
  public KilledProcess(Path folder, Path errors, long seed, String directory) throws IOException {
    List<String> command =
        JavaCommand.of(
            List.of("-XX:TieredStopAtLevel=1"),
            CommittingProcess.class,
            folder.toString(),
            Long.toString(seed),
            Integer.toString(MOST_COMMITS),
            directory);
    this.errors = errors;
    this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    this.lines = process.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Waits until the process has said this many lines more of a kind.
   *
   * @param kind {@link CommittingProcess#COMMITTING} or {@link CommittingProcess#COMMITTED}
   */
  public void await(String kind, int commits) throws IOException {
    for (int i = 0; i < commits; ) {
      String line = lines.readLine();
      if (line == null) {
        throw new AssertionError("ended by itself: " + Files.readString(errors));
      }
      note(line);
      i += line.startsWith(kind) ? 1 : 0;
    }
  }

  private void note(String line) {
    long number = Long.parseLong(line.substring(line.indexOf(' ') + 1));
    if (line.startsWith(CommittingProcess.COMMITTING)) {
      attempted = number;
    } else {
      acknowledged = number;
    }
  }

  /** Kills the process, waits for its end and reads what it had still said. */
  public void kill() throws IOException, InterruptedException {
    // The handle's method: the one of the process would close the stream that is read here.
    process.toHandle().destroyForcibly();
    lines.lines().forEach(this::note);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("survives: " + process);
    }
    if (process.exitValue() != KILLED) {
      throw new AssertionError("exit " + process.exitValue() + ": " + Files.readString(errors));
    }
  }

  /** The last commit that was acknowledged by this process; 0 if there was none. */
  public long acknowledged() {
    return acknowledged;
  }

  /** The last commit that was begun by this process; 0 if there was none. */
  public long attempted() {
    return attempted;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
  }
}
