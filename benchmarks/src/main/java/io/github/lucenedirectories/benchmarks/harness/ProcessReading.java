package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the system says of a process at one moment: all its threads, from {@code /proc}.
 *
 * @param values without those that the system does not tell
 */
public record ProcessReading(Map<Value, Long> values) {
  private static final Path SELF = Path.of("/proc/self");
  private static final long KIBIBYTE = 1024;

  /* Of the fields of stat after the name in parentheses, which may contain spaces. */
  private static final int MINOR_FAULTS = 7;
  private static final int MAJOR_FAULTS = 9;

  /** What can be read. */
  public enum Value {
    /** Page faults that found their page in memory. */
    MINOR_FAULTS,
    /** Page faults that waited for a device. */
    MAJOR_FAULTS,
    /** Bytes read from devices: by faults, by reads and by read-ahead. */
    READ_BYTES,
    /** Bytes of pages that were made dirty and belong to a device. */
    WRITTEN_BYTES,
    /** All memory of the process, mapped files included. */
    RESIDENT_BYTES,
    /** Memory that has no file behind it: heap, stacks and off-heap memory. */
    ANONYMOUS_BYTES,
    /** Lines of {@code /proc/self/maps}, which {@code vm.max_map_count} bounds. */
    MAPPINGS;

    /** Whether it counts events since the process started; the others are levels. */
    boolean isCount() {
      return compareTo(WRITTEN_BYTES) <= 0;
    }
  }

  public ProcessReading {
    values = Map.copyOf(values);
  }

  /** This process, now. */
  public static ProcessReading now() {
    return in(SELF);
  }

  /** A process by its folder in {@code /proc}. */
  static ProcessReading in(Path folder) {
    Map<Value, Long> values = new EnumMap<>(Value.class);
    for (String line : lines(folder.resolve("stat"))) {
      String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
      values.put(Value.MINOR_FAULTS, Long.valueOf(fields[MINOR_FAULTS]));
      values.put(Value.MAJOR_FAULTS, Long.valueOf(fields[MAJOR_FAULTS]));
    }
    List<String> io = lines(folder.resolve("io"));
    put(values, Value.READ_BYTES, io, "read_bytes:", 1);
    put(values, Value.WRITTEN_BYTES, io, "write_bytes:", 1);
    List<String> status = lines(folder.resolve("status"));
    put(values, Value.RESIDENT_BYTES, status, "VmRSS:", KIBIBYTE);
    put(values, Value.ANONYMOUS_BYTES, status, "RssAnon:", KIBIBYTE);
    List<String> maps = lines(folder.resolve("maps"));
    if (!maps.isEmpty()) {
      values.put(Value.MAPPINGS, (long) maps.size());
    }
    return new ProcessReading(values);
  }

  private static List<String> lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private static void put(
      Map<Value, Long> values, Value value, List<String> lines, String name, long unit) {
    for (String line : lines) {
      if (line.startsWith(name)) {
        String number = line.substring(name.length()).replace("kB", "").strip();
        values.put(value, Long.parseLong(number) * unit);
      }
    }
  }

  /** One value; null if the system does not tell it. */
  public @Nullable Long get(Value value) {
    return values.get(value);
  }

  /** What was counted since an earlier reading. Levels are those of this one. */
  public ProcessReading since(ProcessReading earlier) {
    return combined(earlier, (now, before) -> now - before);
  }

  /** What was counted in this span and in an earlier one. Levels are those of this one. */
  ProcessReading plus(ProcessReading earlier) {
    return combined(earlier, Long::sum);
  }

  private ProcessReading combined(ProcessReading earlier, LongBinaryOperator how) {
    Map<Value, Long> values = new EnumMap<>(Value.class);
    this.values.forEach(
        (value, now) -> {
          Long before = earlier.values.get(value);
          if (!value.isCount()) {
            values.put(value, now);
          } else if (before != null) {
            values.put(value, how.applyAsLong(now, before));
          }
        });
    return new ProcessReading(values);
  }
}
