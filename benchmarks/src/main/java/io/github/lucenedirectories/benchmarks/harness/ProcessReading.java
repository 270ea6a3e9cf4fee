// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** What is known of this process at one moment; values that the system does not tell are absent. */
public record ProcessReading(Map<Value, Long> values) {
  private static final long KIBIBYTE = 1024;

  public enum Value {
    /** Page faults that found their page in memory. */
    MINOR_FAULTS,
    /** Page faults that waited for a device. */
    MAJOR_FAULTS,
    /** Bytes read from devices: by faults, by reads and by read-ahead. */
    READ_BYTES,
    /** Bytes of pages that were made dirty and belong to a device. */
    WRITTEN_BYTES,
    /** Milliseconds that the garbage collector took, as the JVM reports them. */
    COLLECTION_MILLIS,
    /** All memory of the process, mapped files included. */
    RESIDENT_BYTES,
    /** Memory that has no file behind it: heap, stacks and off-heap memory. */
    ANONYMOUS_BYTES,
    /** Lines of {@code /proc/self/maps}, which {@code vm.max_map_count} bounds. */
    MAPPINGS;

    /** Whether it counts events since the process started; the others are levels. */
    boolean isCount() {
      return compareTo(COLLECTION_MILLIS) <= 0;
    }
  }

  public ProcessReading {
    values = Map.copyOf(values);
  }

  public static ProcessReading now() {
    return in(Path.of("/proc/self"));
  }

  /** Milliseconds of garbage collection since the JVM started. */
  public static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /** With the folder of this process in {@code /proc}. */
  static ProcessReading in(Path folder) {
    Map<Value, Long> values = new EnumMap<>(Value.class);
    values.put(Value.COLLECTION_MILLIS, collectionMillis());
    for (String line : lines(folder.resolve("stat"))) {
      // Of the fields after the name in parentheses, which may contain spaces.
      String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
      values.put(Value.MINOR_FAULTS, Long.valueOf(fields[7]));
      values.put(Value.MAJOR_FAULTS, Long.valueOf(fields[9]));
    }
    Map<String, Value> names =
        Map.of(
            "read_bytes", Value.READ_BYTES,
            "write_bytes", Value.WRITTEN_BYTES,
            "VmRSS", Value.RESIDENT_BYTES,
            "RssAnon", Value.ANONYMOUS_BYTES);
    for (String file : List.of("io", "status")) {
      for (String line : lines(folder.resolve(file))) {
        String[] parts = line.split(":\\s*| ", -1);
        Value value = names.get(parts[0]);
        if (value != null) {
          values.put(value, Long.parseLong(parts[1]) * (line.endsWith("kB") ? KIBIBYTE : 1));
        }
      }
    }
    long mappings = lines(folder.resolve("maps")).size();
    if (mappings > 0) {
      values.put(Value.MAPPINGS, mappings);
    }
    return new ProcessReading(values);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  public @Nullable Long get(Value value) {
    return values.get(value);
  }

  /** What was counted since an earlier reading. Levels are those of this one. */
  public ProcessReading since(ProcessReading earlier) {
    return combined(earlier, (now, before) -> now - before);
  }

  /** What was counted in this span and in an earlier one. Levels are those of this one. */
  public ProcessReading plus(ProcessReading earlier) {
    return combined(earlier, Long::sum);
  }

  private ProcessReading combined(ProcessReading earlier, LongBinaryOperator how) {
    Map<Value, Long> combined = new EnumMap<>(Value.class);
    values.forEach(
        (value, now) -> {
          Long before = value.isCount() ? earlier.get(value) : Long.valueOf(0);
          if (before != null) {
            combined.put(value, value.isCount() ? how.applyAsLong(now, before) : now);
          }
        });
    return new ProcessReading(combined);
  }
}
