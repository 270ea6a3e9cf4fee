package io.github.lucenedirectories.benchmarks.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a watch sees of things that are done on purpose, and only between the marks around them. */
class WatchTest {
  private static final int ARENAS = 25;
  private static final int COLLECTIONS = 5;
  private static final int MEBIBYTES = 20;
  private static final int PIECES = 16;

  @TempDir private Path folder;

  private Footprint footprint(String status) throws IOException {
    Files.writeString(folder.resolve("status"), status);
    Files.writeString(folder.resolve("maps"), "a\nb\nc\n");
    return Footprint.in(folder);
  }

  @Test
  void collectionsAndHandshakesAreSeenInTheirSpanOnly() throws IOException {
    try (Watch watch = new Watch()) {
      watch.mark();
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      watch.mark();
      for (int i = 0; i < ARENAS; i++) {
        Arena arena = Arena.ofShared();
        arena.allocate(1);
        arena.close();
      }
      watch.mark();
      List<Span> spans = watch.finish();
      assertEquals(2, spans.size());
      Span collected = spans.get(0);
      assertTrue(collected.collections().count() >= COLLECTIONS, collected.toString());
      assertTrue(collected.safepoints().count() > 0, collected.toString());
      assertTrue(
          collected.collections().totalNanos() <= collected.safepoints().totalNanos(),
          collected.toString());
      assertTrue(
          collected.collections().longestNanos() > 10_000
              && collected.collections().longestNanos() <= collected.collections().totalNanos(),
          collected.toString());
      assertTrue(
          collected.collections().totalNanos() < collected.seconds() * 1e9, collected.toString());
      Span closed = spans.get(1);
      assertTrue(closed.handshakes().count() >= ARENAS, closed.toString());
      assertTrue(collected.handshakes().count() < ARENAS, collected.toString());
      assertTrue(closed.handshakes().totalNanos() > 0);
      assertTrue(closed.collections().count() < COLLECTIONS, closed.toString());
    }
  }

  @Test
  void whatTheSystemCountsIsOfTheSpan() throws IOException {
    if (!Files.exists(Path.of("/proc/self/io"))) {
      return;
    }
    Path file = folder.resolve("file");
    try (Watch watch = new Watch()) {
      watch.mark();
      Files.write(file, new byte[MEBIBYTES << 20]);
      watch.mark();
      watch.mark();
      List<Span> spans = watch.finish();
      Long written = spans.get(0).counters().writtenBytes();
      // A temporary folder in memory has no device behind it.
      assertTrue(written != null && (written == 0 || written >= MEBIBYTES << 20), "" + written);
      Long later = spans.get(1).counters().writtenBytes();
      assertTrue(later != null && later < MEBIBYTES << 20, "" + later);
      Long faults = spans.get(0).counters().minorFaults();
      assertTrue(faults != null && faults > 0);
      Footprint footprint = spans.get(1).footprint();
      long resident = Objects.requireNonNull(footprint.residentBytes());
      long anonymous = Objects.requireNonNull(footprint.anonymousBytes());
      assertTrue(resident > 20 << 20);
      assertTrue(anonymous > 0 && anonymous < resident);
      assertTrue(Objects.requireNonNull(footprint.mappings()) > 50);
    }
  }

  @Test
  void partsAreAddedUpAndWhatIsBetweenThemIsNot() throws IOException {
    try (Watch watch = new Watch()) {
      for (int part = 0; part < 3; part++) {
        watch.mark();
        System.gc();
        watch.mark();
        for (int i = 0; i < COLLECTIONS; i++) {
          System.gc();
        }
      }
      Span parts = watch.finishParts();
      assertTrue(parts.collections().count() >= 3, parts.toString());
      assertTrue(parts.collections().count() < COLLECTIONS, parts.toString());
    }
  }

  @Test
  void sumsOfSpans() {
    Span one =
        new Span(
            1,
            new Pauses(1, 5, 5),
            Pauses.NONE,
            new Pauses(2, 4, 3),
            new ProcessCounters(1L, 2L, null, 4L),
            new Footprint(1L, 1L, 1L));
    Span other =
        new Span(
            2,
            new Pauses(2, 9, 7),
            new Pauses(1, 1, 1),
            Pauses.NONE,
            new ProcessCounters(10L, 20L, 30L, 40L),
            new Footprint(2L, 2L, 2L));
    assertEquals(
        new Span(
            3,
            new Pauses(3, 14, 7),
            new Pauses(1, 1, 1),
            new Pauses(2, 4, 3),
            new ProcessCounters(11L, 22L, null, 44L),
            new Footprint(2L, 2L, 2L)),
        one.plus(other));
  }

  @Test
  void footprintIsReadAndUnknownWhereItCannotBe() throws IOException {
    assertEquals(
        new Footprint(2048L * 1024, 7L * 1024, 3L),
        footprint("VmPeak:\t 99 kB\nVmRSS:\t    2048 kB\nRssAnon:\t       7 kB\n"));
    assertEquals(new Footprint(null, null, 3L), footprint("Name: x\n"));
    assertEquals(new Footprint(null, null, null), Footprint.in(folder.resolve("none")));
  }

  @Test
  void heapIsWhatIsReachable() {
    List<byte[]> kept = new ArrayList<>();
    long before = Watch.heapAfterCollection();
    for (int i = 0; i < 2 * MEBIBYTES * PIECES; i++) {
      byte[] bytes = new byte[(1 << 20) / PIECES];
      if (i % 2 == 0) {
        kept.add(bytes);
      }
    }
    double grown = Watch.heapAfterCollection() - before;
    assertEquals(MEBIBYTES << 20, kept.stream().mapToInt(bytes -> bytes.length).sum());
    assertEquals(MEBIBYTES, grown / (1 << 20), MEBIBYTES / 2.0);
  }
}
