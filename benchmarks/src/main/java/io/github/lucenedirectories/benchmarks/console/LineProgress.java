package io.github.lucenedirectories.benchmarks.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plain lines on the error output, for logs: one for what takes more than two seconds, and one in
 * half a minute for what has steps.
 */
final class LineProgress implements Progress {
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final PrintWriter err =
      new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  private final AtomicInteger phase = new AtomicInteger();
  private String unit = "";
  private int steps;
  private int done;
  private long started;
  private long told;

  @Override
  public void note(String what) {
    // Later: the refusal of an input shall be the only line there is.
    int mine = phase.incrementAndGet();
    CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS)
        .execute(
            () -> {
              if (phase.get() == mine) {
                err.println(what + " ...");
              }
            });
  }

  @Override
  public void start(String what, int count) {
    note("Running " + count + " " + what);
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
    phase.incrementAndGet();
  }
}
