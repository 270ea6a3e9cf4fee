package io.github.lucenedirectories.benchmarks.micro;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The free disk space and memory that a measurement needs, checked before it begins. */
final class Room {
  private static final Path MEMORY_FACTS = Path.of("/proc/meminfo");
  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");

  private Room() {}

  /**
   * Checks that a folder can take so many bytes.
   *
   * @param remedy what the user can do otherwise
   * @throws UsageException if it cannot
   */
  static void checkDisk(Path folder, long neededBytes, String remedy) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < neededBytes) {
      throw tooLittle("disk space in " + folder, neededBytes, free, remedy);
    }
  }

  /**
   * Checks that so many bytes of memory can be had, the page cache included.
   *
   * @param remedy what the user can do otherwise
   * @throws UsageException if they cannot
   */
  static void checkMemory(long neededBytes, String remedy) throws IOException {
    long available = availableBytes();
    if (available < neededBytes) {
      throw tooLittle("memory", neededBytes, available, remedy);
    }
  }

  private static UsageException tooLittle(String of, long needed, long free, String remedy) {
    return new UsageException(
        "not enough "
            + of
            + ": "
            + Numbers.bytes(needed)
            + " needed, "
            + Numbers.bytes(free)
            + " available; take "
            + remedy);
  }

  /** What is free or held by the page cache, within the limit of the container. */
  private static long availableBytes() throws IOException {
    long limit =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : Long.MAX_VALUE;
    if (!Files.isReadable(MEMORY_FACTS)) {
      return limit;
    }
    try (Stream<String> lines = Files.lines(MEMORY_FACTS)) {
      long available =
          lines
              .map(AVAILABLE::matcher)
              .filter(Matcher::matches)
              .mapToLong(line -> Long.parseLong(line.group(1)) << 10)
              .findFirst()
              .orElse(Long.MAX_VALUE);
      return Math.min(limit, available);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
