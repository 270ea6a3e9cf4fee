// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools.console;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Says on the error output how far a run is: on a terminal in one line that is written over, each
 * second; in a log in a line of its own after two seconds, and for what has steps twice a minute.
 * For one thread.
 */
public final class Progress implements AutoCloseable {
  private static final int COLUMNS = 79;

  /* Not at once: a refusal is then the only line that is printed. */
  private static final int FIRST_SECOND = 2;
  private static final int SECONDS_BETWEEN = 30;

  private final PrintWriter err =
      new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  private final boolean terminal = isTerminal();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private String what = "";
  private String step = "";
  private int steps;
  private int done;
  private int seconds;

  /** Begins to count seconds, until it is closed. */
  public Progress() {
    var _ = clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  /** Something begins that has no steps. */
  public void note(String doing) {
    start(doing, 0);
  }

  /** Steps begin; {@code unit} names them in the plural. */
  public synchronized void start(String unit, int count) {
    what = unit;
    step = "";
    steps = count;
    done = 0;
    seconds = 0;
  }

  public synchronized void step(String name) {
    step = name;
  }

  public synchronized void stepDone() {
    done++;
  }

  private synchronized void tick() {
    seconds++;
    if (terminal) {
      String line = line() + (step.isEmpty() ? "" : ": " + step);
      err.print("\r" + line.substring(0, Math.min(COLUMNS, line.length())) + "\033[K");
      err.flush();
    } else if (seconds == FIRST_SECOND || (steps > 0 && seconds % SECONDS_BETWEEN == 0)) {
      err.println(line());
    }
  }

  private String line() {
    if (steps == 0) {
      return what + " ...";
    }
    String left = done == 0 ? "" : ", about " + seconds * (steps - done) / done + " s left";
    return done + " of " + steps + " " + what + " done" + left;
  }

  @SuppressWarnings("SystemConsoleNull") // with java.base's own console it is null again
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  @Override
  public synchronized void close() {
    clock.shutdownNow();
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
