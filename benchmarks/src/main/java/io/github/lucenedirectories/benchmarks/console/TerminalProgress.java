package io.github.lucenedirectories.benchmarks.console;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;
import org.jspecify.annotations.Nullable;

/** A bar on the error output, with the time that has passed and the time left. */
final class TerminalProgress implements Progress {
  private static final int UPDATE_MILLIS = 500;
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private @Nullable ProgressBar bar;

  /** Whether a person looks at both outputs: not if either goes to a file or a pipe. */
  @SuppressWarnings("SystemConsoleNull") // with java.base's own console it is null again
  static boolean isTerminal() {
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

  @Override
  public void note(String what) {
    close();
    bar = builder().setTaskName(what).setInitialMax(-1).build();
  }

  @Override
  public void start(String unit, int steps) {
    close();
    bar =
        builder()
            .setTaskName(unit)
            .setInitialMax(steps)
            .setEtaFunction(TerminalProgress::left)
            .build();
  }

  private static Optional<Duration> left(ProgressState state) {
    long done = state.getCurrent();
    return done == 0
        ? Optional.empty()
        : Optional.of(
            state.getElapsedAfterStart().dividedBy(done).multipliedBy(state.getMax() - done));
  }

  private static ProgressBarBuilder builder() {
    return new ProgressBarBuilder()
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(UPDATE_MILLIS)
        .setConsumer(new Line())
        .continuousUpdate();
  }

  @Override
  public void step(String what) {
    if (bar != null) {
      bar.setExtraMessage(" " + what);
    }
  }

  @Override
  public void stepDone() {
    if (bar != null) {
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  /**
   * One line of the terminal that is written over and over. The library's own consumer asks the
   * terminal for its width through a native library that it unpacks into the temporary folder.
   */
  private static final class Line implements ProgressBarConsumer {
    private static final int COLUMNS = 79;

    private final PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    @Override
    public int getMaxRenderedLength() {
      return COLUMNS;
    }

    @Override
    public void accept(String text) {
      err.print("\r" + text);
      err.flush();
    }

    @Override
    public void clear() {
      accept(" ".repeat(COLUMNS) + "\r");
    }

    @Override
    public void close() {
      clear();
    }
  }
}
