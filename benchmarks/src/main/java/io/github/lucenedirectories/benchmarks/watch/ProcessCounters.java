package io.github.lucenedirectories.benchmarks.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process has made the system do so far, of all its threads. A figure is null if the system
 * does not tell.
 *
 * @param minorFaults page faults that found their page in memory
 * @param majorFaults page faults that had to wait for a device
 * @param readBytes from devices, by faults, reads and what was read ahead
 * @param writtenBytes towards devices, counted when a page becomes dirty
 */
public record ProcessCounters(
    @Nullable Long minorFaults,
    @Nullable Long majorFaults,
    @Nullable Long readBytes,
    @Nullable Long writtenBytes) {
  private static final Path SELF = Path.of("/proc/self");

  /* Of the fields after the name in parentheses, which may have spaces in it. */
  private static final int MINOR_FAULTS = 7;
  private static final int MAJOR_FAULTS = 9;
  private static final String READ_BYTES = "read_bytes: ";
  private static final String WRITTEN_BYTES = "write_bytes: ";

  /** This process's. */
  public static ProcessCounters now() {
    return in(SELF);
  }

  /** Those in a process's folder in {@code /proc}. */
  static ProcessCounters in(Path folder) {
    List<String> io = lines(folder.resolve("io"));
    List<String> stat = lines(folder.resolve("stat"));
    return new ProcessCounters(
        field(stat, MINOR_FAULTS),
        field(stat, MAJOR_FAULTS),
        value(io, READ_BYTES),
        value(io, WRITTEN_BYTES));
  }

  /** What has been added since an earlier moment. */
  public ProcessCounters since(ProcessCounters earlier) {
    return new ProcessCounters(
        difference(minorFaults, earlier.minorFaults),
        difference(majorFaults, earlier.majorFaults),
        difference(readBytes, earlier.readBytes),
        difference(writtenBytes, earlier.writtenBytes));
  }

  /** What has been added in this and in another time. */
  ProcessCounters plus(ProcessCounters other) {
    return new ProcessCounters(
        sum(minorFaults, other.minorFaults),
        sum(majorFaults, other.majorFaults),
        sum(readBytes, other.readBytes),
        sum(writtenBytes, other.writtenBytes));
  }

  private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
    return one == null || other == null ? null : Long.valueOf(one + other);
  }

  private static @Nullable Long difference(@Nullable Long now, @Nullable Long before) {
    return now == null || before == null ? null : Long.valueOf(now - before);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static @Nullable Long field(List<String> stat, int index) {
    if (stat.isEmpty()) {
      return null;
    }
    String line = stat.get(0);
    return Long.valueOf(line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1)[index]);
  }

  private static @Nullable Long value(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> Long.valueOf(line.substring(name.length())))
        .findFirst()
        .orElse(null);
  }
}
