// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * A running {@link CommittingProcess}, what it has said so far, and its end by SIGKILL. Safe for
 * one thread.
 */
final class KilledProcess implements Closeable {
  /** What the shell reports for a process that SIGKILL ended. */
  private static final int KILLED = 128 + 9;

  private final Process process;
  private final BufferedReader lines;
  private final Path errors;

  /** The last commits that were begun and acknowledged; 0 if there were none. */
  long attempted;

  long acknowledged;

  KilledProcess(List<String> command) throws IOException {
    errors = LuceneTestCase.createTempFile();
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    lines = process.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Waits until the process has said this many lines more of a kind.
   *
   * @param kind {@link CommittingProcess#COMMITTING} or {@link CommittingProcess#COMMITTED}
   */
  void await(String kind, int commits) throws IOException {
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
  void kill() throws IOException, InterruptedException {
    // The handle's method: the one of the process would close the stream that is read here.
    process.toHandle().destroyForcibly();
    lines.lines().forEach(this::note);
    assertTrue("survives: " + process, process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(Files.readString(errors), KILLED, process.exitValue());
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
  }
}
