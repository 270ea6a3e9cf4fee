package io.github.lucenedirectories.testkit.durability;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running {@link CommittingProcess}, what it has said so far, and its end by SIGKILL. Safe for
 * one thread.
 */
public final class KilledProcess implements Closeable {

  /** What the shell reports for a process that SIGKILL ended. */
  private static final int KILLED = 128 + 9;

  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final BufferedReader lines;
  private final Path errors;
  private final ChangeHistory history;
  private long attempted;
  private long acknowledged;

  private KilledProcess(Process process, Path errors, ChangeHistory history) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.US_ASCII);
    this.errors = errors;
    this.history = history;
  }

  /**
   * Starts the process.
   *
   * @param errors the file that takes its error output
   * @param seed of the history that it commits
   * @param directory kind of directory, as {@link CommittingProcess} names it
   */
  public static KilledProcess start(Path folder, Path errors, long seed, String directory)
      throws IOException {
    List<String> command =
        JavaCommand.of(
            List.of("-XX:TieredStopAtLevel=1"),
            CommittingProcess.class,
            folder.toString(),
            Long.toString(seed),
            Integer.toString(CommittingProcess.MOST_COMMITS),
            directory);
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new KilledProcess(process, errors, new ChangeHistory(seed));
  }

  /** Waits until the process has begun this many commits. */
  public void awaitBegun(int commits) throws IOException {
    await(CommittingProcess.COMMITTING, commits);
  }

  /** Waits until the process has acknowledged this many commits. */
  public void awaitAcknowledged(int commits) throws IOException {
    await(CommittingProcess.COMMITTED, commits);
  }

  private void await(String kind, int commits) throws IOException {
    for (int i = 0; i < commits; ) {
      String line = readLine();
      if (line == null) {
        throw new AssertionError("ended by itself: " + Files.readString(errors));
      }
      i += line.startsWith(kind) ? 1 : 0;
    }
  }

  private @Nullable String readLine() throws IOException {
    String line = lines.readLine();
    if (line != null) {
      String[] words = line.split(" ", -1);
      if (line.startsWith(CommittingProcess.COMMITTING)) {
        attempted = Long.parseLong(words[1]);
      } else if (line.startsWith(CommittingProcess.COMMITTED)) {
        acknowledged = Long.parseLong(words[1]);
        // Both sides must mean the same by a number.
        if (Integer.parseInt(words[2]) != history.contentOf(acknowledged).hashCode()) {
          throw new AssertionError("another history: " + line);
        }
      } else {
        throw new AssertionError("unknown line: " + line);
      }
    }
    return line;
  }

  /** Kills the process, waits for its end and reads what it had still said. */
  public void kill() throws IOException, InterruptedException {
    // The handle's method: the one of the process would close the stream that is read here.
    process.toHandle().destroyForcibly();
    while (readLine() != null) {
      // Counted there.
    }
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
