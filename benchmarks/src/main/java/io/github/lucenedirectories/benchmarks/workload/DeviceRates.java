// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** How many pages a device reads in a second, at random and past the page cache. */
final class DeviceRates {
  private static final int PAGE = 4096;
  private static final double NANOS = 1e9;
  private static final double SECONDS = 2;
  private static final double QUICK_SECONDS = 0.2;

  /* Java has no queue of requests: many threads that wait, each for one, stand for a deep one. */
  private static final List<Integer> THREADS = List.of(1, 8, 32);

  private DeviceRates() {}

  /** Reads the largest file of an index with 1, 8 and 32 threads, and says what that gave. */
  static String measure(Path index, boolean quick) {
    try (Stream<Path> all = Files.list(index)) {
      Path largest =
          all.max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
      List<String> said = new ArrayList<>();
      for (int threads : THREADS) {
        double rate = readsPerSecond(largest, threads, quick ? QUICK_SECONDS : SECONDS);
        said.add(Numbers.text("%,.0f/s with %d", rate, threads));
      }
      return String.join(", ", said) + " threads";
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown (" + e + ")";
    }
  }

  /** Of so many threads together, each of which waits for its own reads. */
  static double readsPerSecond(Path file, int threads, double seconds) throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      long start = System.nanoTime();
      long end = start + (long) (seconds * NANOS);
      SplittableRandom seeds = new SplittableRandom(start);
      List<Callable<Long>> loops =
          Stream.generate(seeds::split)
              .limit(threads)
              .map(random -> (Callable<Long>) () -> read(file, random, end))
              .toList();
      long reads = Workers.invokeAll(pool, loops).stream().mapToLong(Long::longValue).sum();
      return reads * NANOS / (System.nanoTime() - start);
    }
  }

  /**
   * Looked up by name: javac warns of this internal class, and the warning cannot be suppressed.
   */
  private static OpenOption direct() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException(e);
    }
  }

  /** Reads through a channel of its own, since one channel counts its readers under a lock. */
  private static long read(Path file, SplittableRandom random, long end) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE).limit(PAGE);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, direct())) {
      long pages = Math.max(1, channel.size() / PAGE);
      long reads = 0;
      for (; System.nanoTime() < end; reads++) {
        channel.read(page.rewind(), random.nextLong(pages) * PAGE);
      }
      return reads;
    }
  }
}
