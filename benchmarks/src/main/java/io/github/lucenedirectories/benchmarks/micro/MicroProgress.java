package io.github.lucenedirectories.benchmarks.micro;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/**
 * One line for every fork that has ended, with the time left; and the last lines of what JMH and
 * the forks printed, for the case that one fails.
 */
final class MicroProgress implements OutputFormat {
  private static final int KEPT_LINES = 40;

  private final PrintWriter out;
  private final int totalForks;
  private final boolean verbose;
  private final long startNanos = System.nanoTime();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final StringBuilder partialLine = new StringBuilder();
  private int endedForks;

  /** Prints all that JMH prints, too, if {@code verbose}. */
  MicroProgress(PrintWriter out, int totalForks, boolean verbose) {
    this.out = out;
    this.totalForks = totalForks;
    this.verbose = verbose;
  }

  /** What was printed last, oldest line first. */
  synchronized List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  @Override
  public synchronized void endBenchmark(BenchmarkResult result) {
    endedForks++;
    if (result == null) {
      return;
    }
    Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
    Duration left = passed.multipliedBy(totalForks - endedForks).dividedBy(endedForks);
    BenchmarkParams params = result.getParams();
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "[%d/%d] ", endedForks, totalForks));
    line.append(Measurement.shortName(params.getBenchmark()));
    for (String name : params.getParamsKeys()) {
      line.append(' ').append(name).append('=').append(params.getParam(name));
    }
    line.append(
        String.format(
            Locale.ROOT,
            ": %.3f %s, %s left",
            result.getPrimaryResult().getScore(),
            result.getScoreUnit(),
            readable(left)));
    out.println(line);
    out.flush();
  }

  /** Minutes and seconds. */
  static String readable(Duration duration) {
    return duration.toMinutes() > 0
        ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
        : duration.toSecondsPart() + " s";
  }

  @Override
  public synchronized void print(String text) {
    if (verbose) {
      out.print(text);
      out.flush();
    }
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      partialLine.append(text, start, end);
      keep(partialLine.toString());
      partialLine.setLength(0);
      start = end + 1;
    }
    partialLine.append(text, start, text.length());
  }

  private void keep(String line) {
    if (lastLines.size() == KEPT_LINES) {
      lastLines.removeFirst();
    }
    lastLines.addLast(line.stripTrailing());
  }

  @Override
  public void println(String text) {
    print(text + "\n");
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b});
  }

  @Override
  public void write(byte[] b) {
    print(new String(b, StandardCharsets.UTF_8));
  }

  @Override
  public void verbosePrintln(String text) {}

  @Override
  public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {}

  @Override
  public void iterationResult(
      BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult data) {}

  @Override
  public void startBenchmark(BenchmarkParams params) {}

  @Override
  public void startRun() {}

  @Override
  public void endRun(Collection<RunResult> results) {}

  @Override
  public void flush() {
    out.flush();
  }

  /** Leaves the stream open: a run has several rounds, and the stream is the caller's. */
  @Override
  public void close() {}
}
