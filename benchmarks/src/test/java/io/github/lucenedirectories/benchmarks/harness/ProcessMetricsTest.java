// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Pause;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Pauses;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of things that are done on purpose, and only between the marks around them. */
class ProcessMetricsTest {
  private static final int ARENAS = 25;
  private static final int COLLECTIONS = 5;
  private static final int MEBIBYTES = 20;

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
  void collectionsAndHandshakesAreSeenInTheirSpanOnly() throws IOException {
    try (ProcessMetrics metrics = new ProcessMetrics()) {
      metrics.mark();
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      metrics.mark();
      for (int i = 0; i < ARENAS; i++) {
        Arena arena = Arena.ofShared();
        arena.allocate(1);
        arena.close();
      }
      metrics.mark();
      List<Span> spans = metrics.finish();
      assertEquals(2, spans.size());
      Span collected = spans.get(0);
      Pauses collections = collected.pauses(Pause.COLLECTION);
      Pauses safepoints = collected.pauses(Pause.SAFEPOINT);
      assertTrue(collections.count() >= COLLECTIONS, collected.toString());
      assertTrue(safepoints.count() > 0, collected.toString());
      assertTrue(collections.totalNanos() <= safepoints.totalNanos(), collected.toString());
      assertTrue(collections.longestNanos() > 10_000, collected.toString());
      assertTrue(collections.longestNanos() <= collections.totalNanos(), collected.toString());
      assertTrue(collections.totalNanos() < collected.seconds() * 1e9, collected.toString());
      Span closed = spans.get(1);
      assertTrue(closed.pauses(Pause.HANDSHAKE).count() >= ARENAS, closed.toString());
      assertTrue(collected.pauses(Pause.HANDSHAKE).count() < ARENAS, collected.toString());
      assertTrue(closed.pauses(Pause.HANDSHAKE).totalNanos() > 0);
      assertTrue(closed.pauses(Pause.COLLECTION).count() < COLLECTIONS, closed.toString());
    }
  }

  @Test
  void whatTheSystemCountsIsOfTheSpan() throws IOException {
    if (!Files.exists(Path.of("/proc/self/io"))) {
      return;
    }
    Path file = folder.resolve("file");
    try (ProcessMetrics metrics = new ProcessMetrics()) {
      metrics.mark();
      Files.write(file, new byte[MEBIBYTES << 20]);
      metrics.mark();
      metrics.mark();
      List<Span> spans = metrics.finish();
      Long written = spans.get(0).reading().get(Value.WRITTEN_BYTES);
      // A temporary folder in memory has no device behind it.
      assertTrue(written != null && (written == 0 || written >= MEBIBYTES << 20), "" + written);
      Long later = spans.get(1).reading().get(Value.WRITTEN_BYTES);
      assertTrue(later != null && later < MEBIBYTES << 20, "" + later);
      Long faults = spans.get(0).reading().get(Value.MINOR_FAULTS);
      assertTrue(faults != null && faults > 0);
      assertEquals(Set.of(Value.values()), spans.get(1).reading().values().keySet());
    }
  }

  @Test
  void partsAreAddedUpAndWhatIsBetweenThemIsNot() throws IOException {
    try (ProcessMetrics metrics = new ProcessMetrics()) {
      for (int part = 0; part < 3; part++) {
        metrics.mark();
        System.gc();
        metrics.mark();
        for (int i = 0; i < COLLECTIONS; i++) {
          System.gc();
        }
      }
      Span parts = metrics.finishParts();
      Pauses collections = parts.pauses(Pause.COLLECTION);
      assertTrue(collections.count() >= 3 && collections.count() < COLLECTIONS, parts.toString());
      assertTrue(collections.longestNanos() < collections.totalNanos(), parts.toString());
    }
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
            Value.MAPPINGS, 3L),
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
    assertEquals(Map.of(), none.values());
    assertEquals(null, reading(1, 1).since(none).get(Value.MINOR_FAULTS));
    assertEquals(Map.of(), none.since(reading(1, 1)).values());
  }
}
