package io.github.lucenedirectories.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a process has made the system read so far, of all its threads.
 *
 * @param majorFaults page faults that had to wait for a device; null if the system does not tell
 * @param readBytes from devices, by faults, reads and what was read ahead; null likewise
 */
record ProcessCounters(@Nullable Long majorFaults, @Nullable Long readBytes) {
  private static final Path SELF = Path.of("/proc/self");

  /* Of the fields after the name in parentheses, which may have spaces in it. */
  private static final int MAJOR_FAULTS = 9;
  private static final String READ_BYTES = "read_bytes: ";

  /** This process's. */
  static ProcessCounters now() {
    return in(SELF);
  }

  /** Those in a process's folder in {@code /proc}. */
  static ProcessCounters in(Path folder) {
    return new ProcessCounters(
        majorFaults(folder.resolve("stat")), readBytes(folder.resolve("io")));
  }

  /** What has been added since an earlier moment. */
  ProcessCounters since(ProcessCounters earlier) {
    return new ProcessCounters(
        difference(majorFaults, earlier.majorFaults), difference(readBytes, earlier.readBytes));
  }

  private static @Nullable Long difference(@Nullable Long now, @Nullable Long before) {
    return now == null || before == null ? null : Long.valueOf(now - before);
  }

  private static @Nullable Long majorFaults(Path file) {
    try {
      String line = Files.readString(file);
      return Long.valueOf(
          line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1)[MAJOR_FAULTS]);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Long readBytes(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(READ_BYTES))
          .map(line -> Long.valueOf(line.substring(READ_BYTES.length())))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}
