// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.lucene.util.SuppressForbidden;

/**
 * What clients that call one after another had: calls a second, times in milliseconds, and reads of
 * the device, KiB and major page faults of one call.
 */
@SuppressForbidden(reason = "a command prints")
record ClientLoad(double rate, double p50, double p99, double reads, double kib, double faults) {

  static final String HEAD =
      """
      | Store type | Clients, hits | Queries/s | Of `hybridfs` | p50, p99 (ms) | Reads, KiB, major faults a query |
      |---|---|---|---|---|---|
      """;

  private static final int PAGE = 4_096;

  /** What is called. */
  interface Call {
    void run() throws IOException, InterruptedException;
  }

  static ClientLoad of(int clients, double seconds, MemoryGroup group, long pid, Call call)
      throws IOException, InterruptedException {
    long[] before = group.counts(pid);
    long begun = System.nanoTime();
    List<Double> all = run(clients, seconds, call);
    double elapsed = (System.nanoTime() - begun) / 1e9;
    long[] after = group.counts(pid);
    double size = all.size();
    return new ClientLoad(
        size / elapsed,
        all.get((int) (size * 0.5)),
        all.get((int) (size * 0.99)),
        (after[0] - before[0]) / size,
        (after[1] - before[1]) / size / 1024,
        (after[2] - before[2]) / size);
  }

  /** The calls' times in order, in milliseconds. */
  private static List<Double> run(int clients, double seconds, Call call)
      throws IOException, InterruptedException {
    Callable<List<Double>> client =
        () -> {
          List<Double> took = new ArrayList<>();
          long begun = System.nanoTime();
          for (long now = begun; now - begun < seconds * 1e9; ) {
            call.run();
            long last = now;
            now = System.nanoTime();
            took.add((now - last) / 1e6);
          }
          return took;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Double> all = new ArrayList<>();
      for (Future<List<Double>> done : threads.invokeAll(Collections.nCopies(clients, client))) {
        all.addAll(done.get());
      }
      Collections.sort(all);
      return all;
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  /** Prints how many single pages of a file the device reads in a second, past the page cache. */
  static void printDevice(Path file) throws IOException, InterruptedException {
    for (int threads : List.of(1, 4, 8)) {
      String line = "%nThe device itself, pages of 4 KiB, %d threads: %,.0f reads/s";
      Smoke.OUT.printf(Locale.ROOT, line, threads, pages(file, threads));
    }
    Smoke.OUT.println();
  }

  private static double pages(Path file, int threads) throws IOException, InterruptedException {
    double seconds = 3;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
      long pages = channel.size() / PAGE;
      ThreadLocal<ByteBuffer> buffers =
          ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE));
      Call read =
          () ->
              channel.read(
                  buffers.get().clear().limit(PAGE),
                  ThreadLocalRandom.current().nextLong(pages) * PAGE);
      return run(threads, seconds, read).size() / seconds;
    }
  }

  /**
   * A line below {@link #HEAD}, of the loads of one variant and of {@code hybridfs} in each round.
   */
  static String line(
      String variant, LimitedIndex.Kind kind, List<ClientLoad> all, List<ClientLoad> base) {
    double[] ratios =
        IntStream.range(0, all.size())
            .mapToDouble(i -> all.get(i).rate / base.get(i).rate)
            .toArray();
    return String.format(
        Locale.ROOT,
        "| `%s` | %d, %d | %s | %s | %.1f, %.1f | %.1f, %.0f, %.1f |",
        variant,
        kind.clients(),
        kind.hits(),
        interval("%.1f", all.stream().mapToDouble(ClientLoad::rate).toArray()),
        interval("%.2f", ratios),
        median(all, ClientLoad::p50),
        median(all, ClientLoad::p99),
        median(all, ClientLoad::reads),
        median(all, ClientLoad::kib),
        median(all, ClientLoad::faults));
  }

  private static double median(List<ClientLoad> all, ToDoubleFunction<ClientLoad> of) {
    return median(all.stream().mapToDouble(of).sorted().toArray());
  }

  private static double median(double[] sorted) {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The median, and the least and the most. */
  private static String interval(String format, double[] values) {
    double[] all = Arrays.stream(values).sorted().toArray();
    return String.format(
        Locale.ROOT,
        format + " (" + format + " to " + format + ")",
        median(all),
        all[0],
        all[all.length - 1]);
  }
}
