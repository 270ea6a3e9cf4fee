package io.github.lucenedirectories.benchmarks.console;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Timer;
import java.util.TimerTask;

/**
 * Says on the error output how far a run is: on a terminal in one line that is written over, each
 * second; in a log in a line of its own after two seconds, and for what has steps twice a minute.
 * For one thread.
 */
public final class Progress implements AutoCloseable {
  private static final int COLUMNS = 79;
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  /* Not at once: the refusal of an input shall be the only line there is. */
  private static final int FIRST_SECOND = 2;
  private static final int SECONDS_BETWEEN = 30;

  private final PrintWriter err =
      new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  private final boolean terminal = isTerminal();
  private final Timer clock = new Timer("progress", true);
  private String what = "";
  private String step = "";
  private int steps;
  private int done;
  private int seconds;

  private Progress() {
    TimerTask tick =
        new TimerTask() {
          @Override
          public void run() {
            tick();
          }
        };
    clock.scheduleAtFixedRate(tick, 1000, 1000);
  }

  /** Begins to count seconds, until it is closed. */
  public static Progress create() {
    return new Progress();
  }

  /** Something begins that has no steps. */
  public void note(String doing) {
    start(doing, 0);
  }

  /**
   * Steps begin.
   *
   * @param unit what the steps are, in the plural
   */
  public synchronized void start(String unit, int count) {
    what = unit;
    step = "";
    steps = count;
    done = 0;
    seconds = 0;
  }

  /** The next step begins. */
  public synchronized void step(String name) {
    step = name;
  }

  /** The step that began last is done. */
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

  /** Whether a person looks at both outputs: not if either goes to a file or a pipe. */
  @SuppressWarnings("SystemConsoleNull") // with java.base's own console it is null again
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      return false;
    }
    try {
      return !Files.exists(STANDARD_ERROR)
          || STANDARD_ERROR.toRealPath().toString().matches("/dev/(pts/|tty|console).*");
    } catch (IOException e) {
      return false;
    }
  }

  /** Leaves the terminal as it was. */
  @Override
  public synchronized void close() {
    clock.cancel();
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
