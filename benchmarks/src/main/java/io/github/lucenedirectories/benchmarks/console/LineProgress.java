package io.github.lucenedirectories.benchmarks.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Plain lines on the error output, at most one in half a minute, for logs. */
final class LineProgress implements Progress {
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final PrintWriter err =
      new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  private String unit = "";
  private int steps;
  private int done;
  private long started;
  private long told;

  @Override
  public void note(String what) {
    // A refused input shall be the only line there is.
  }

  @Override
  public void start(String what, int count) {
    unit = what;
    steps = count;
    started = System.nanoTime();
    told = started;
  }

  @Override
  public void step(String what) {}

  @Override
  public void stepDone() {
    done++;
    long now = System.nanoTime();
    if (now - told >= EVERY.toNanos() && done < steps) {
      told = now;
      long left = Duration.ofNanos((now - started) / done * (steps - done)).toSeconds();
      err.println(done + " of " + steps + " " + unit + " done, about " + left + " s left");
    }
  }

  @Override
  public void close() {
    err.flush();
  }
}
