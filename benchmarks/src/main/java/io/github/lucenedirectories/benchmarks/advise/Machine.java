package io.github.lucenedirectories.benchmarks.advise;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.workload.Device;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.variants.ReadOnlyDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM finds that would search the index. A figure is null if the system does not say.
 *
 * @param memoryBytes of the machine or, if smaller, of the container
 * @param machineBytes of the machine
 * @param heapBytes the largest Java heap
 * @param pageCacheBytes what the page cache can hold for this process
 * @param residentBytes of all files in the index's folder, in the page cache before anything was
 *     measured
 * @param readAheadKiB the most that the system reads from the device at once
 * @param device of the index, in words
 * @param hybrid how HybridDirectory would read the index's largest file, and why
 */
record Machine(
    int processors,
    long memoryBytes,
    @Nullable Long machineBytes,
    long heapBytes,
    long pageCacheBytes,
    long residentBytes,
    @Nullable Long readAheadKiB,
    @Nullable String device,
    String hybrid) {
  private static final Path MEMORY_FACTS = Path.of("/proc/meminfo");

  /** Looks around. */
  static Machine read(Path index, long residentBytes) throws IOException {
    OptionalLong readAhead = Device.readAheadKibibytes(index);
    Long machineKibibytes = number(MEMORY_FACTS, "MemTotal:");
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        totalMemoryBytes(),
        machineKibibytes == null ? null : Long.valueOf(machineKibibytes << 10),
        Runtime.getRuntime().maxMemory(),
        AvailableMemory.pageCacheBytes(),
        residentBytes,
        readAhead.isPresent() ? Long.valueOf(readAhead.getAsLong()) : null,
        Device.describe(index).orElse(null),
        hybrid(index));
  }

  /** The memory of the machine or, if smaller, of the container. */
  static long totalMemoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Long.MAX_VALUE;
  }

  private static String hybrid(Path index) throws IOException {
    try (HybridDirectory directory = new HybridDirectory(index);
        // It then knows what Lucene reads of each file.
        DirectoryReader reader = DirectoryReader.open(new ReadOnlyDirectory(directory))) {
      String largest = "";
      long bytes = -1;
      for (String name : reader.getIndexCommit().getFileNames()) {
        if (directory.fileLength(name) > bytes) {
          largest = name;
          bytes = directory.fileLength(name);
        }
      }
      return directory.explain(largest);
    }
  }

  /** The number in the first line that begins so; null where there is none. */
  private static @Nullable Long number(Path file, String start) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(start))
          .map(line -> Long.valueOf(line.substring(start.length()).replace("kB", "").strip()))
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return null;
    }
  }

  /**
   * A paragraph for the report.
   *
   * @param folderBytes of all files in the index's folder
   */
  String summary(long folderBytes) {
    Long whole = machineBytes;
    return String.format(
        Locale.ROOT,
        "%d processors, memory %s%s, heap %s, page cache up to %s; %.0f %% of the index's folder was"
            + " in memory before. Device: %s, reads ahead %s."
            + " HybridDirectory's choice for the largest file: %s.",
        processors,
        Numbers.bytes(memoryBytes),
        whole != null && memoryBytes < whole
            ? " (limited; the machine has " + Numbers.bytes(whole) + ")"
            : "",
        Numbers.bytes(heapBytes),
        Numbers.bytes(pageCacheBytes),
        100.0 * residentBytes / Math.max(1, folderBytes),
        device == null ? "unknown" : device,
        readAheadKiB == null ? "an unknown amount" : readAheadKiB + " KiB",
        hybrid);
  }
}
