// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Mark;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted, and only since a mark. */
class ProcessMetricsTest {
  private static final int COLLECTIONS = 5;

  @TempDir private Path folder;

  private ProcessReading reading(int faults, int bytes) throws IOException {
    Files.writeString(
        folder.resolve("stat"),
        "17 (a) name)) S 1 2 3 4 5 6 " + (1000 + faults) + " 80 " + faults + " 90 10 11\n");
    Files.writeString(
        folder.resolve("io"), "rchar: 1\nread_bytes: " + bytes + "\nwrite_bytes: " + bytes + "0\n");
    Files.writeString(
        folder.resolve("status"),
        "VmPeak:\t 99 kB\nVmRSS:\t    " + faults + " kB\nRssAnon:\t       7 kB\n");
    Files.writeString(folder.resolve("maps"), "a\nb\nc\n");
    return ProcessReading.in(folder);
  }

  @Test
  void aSpanBeginsAtItsMark() {
    System.gc();
    Mark mark = Mark.now();
    assertEquals(0L, mark.span().reading().get(Value.COLLECTION_MILLIS));
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    Span span = mark.span();
    assertTrue(Objects.requireNonNull(span.reading().get(Value.COLLECTION_MILLIS)) > 0);
    assertEquals(Set.of(Value.values()), span.reading().values().keySet());
    assertEquals(2 * span.seconds(), span.plus(span).seconds());
  }

  @Test
  void readingsAreReadAndSubtractedAndAdded() throws IOException {
    ProcessReading before = reading(100, 4096);
    assertEquals(
        Map.of(
            Value.MINOR_FAULTS, 1100L,
            Value.MAJOR_FAULTS, 100L,
            Value.READ_BYTES, 4096L,
            Value.WRITTEN_BYTES, 40960L,
            Value.RESIDENT_BYTES, 100L << 10,
            Value.ANONYMOUS_BYTES, 7L << 10,
            Value.MAPPINGS, 3L,
            Value.COLLECTION_MILLIS, Objects.requireNonNull(before.get(Value.COLLECTION_MILLIS))),
        before.values());
    ProcessReading span = reading(107, 12288).since(before);
    assertEquals(7, span.get(Value.MINOR_FAULTS));
    assertEquals(81920, span.get(Value.WRITTEN_BYTES));
    assertEquals(107L << 10, span.get(Value.RESIDENT_BYTES), "the level at its end");
    ProcessReading sum = span.plus(span);
    assertEquals(14, sum.get(Value.MAJOR_FAULTS));
    assertEquals(107L << 10, sum.get(Value.RESIDENT_BYTES));
  }

  @Test
  void whatCannotBeReadIsUnknownAndNotNothing() throws IOException {
    ProcessReading none = ProcessReading.in(folder.resolve("none"));
    assertEquals(Set.of(Value.COLLECTION_MILLIS), none.values().keySet());
    assertEquals(null, reading(1, 1).since(none).get(Value.MINOR_FAULTS));
    assertEquals(Set.of(Value.COLLECTION_MILLIS), none.since(reading(1, 1)).values().keySet());
  }
}
