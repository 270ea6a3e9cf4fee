package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CloseReportTest {
  /** 1 to 100 thousand nanoseconds: the p50 is 50 us, the p99 99 us, within the third digit. */
  private static final CloseTimes UP_TO_HUNDRED = times(1_000, 100);

  private static final CloseTimes TEN_TIMES_THAT = times(10_000, 100);

  @Test
  void percentilesAreOfAllClosesAndMediansOfForks() {
    CloseReport report = report();
    List<String> lines = report.lines();
    assertTrue(
        lines.get(2).matches("MMapDirectory +close +50[01] +90[01] +99[01] +1,00[01] +1,00[01]"),
        lines.get(2));
    assertTrue(
        lines.stream().anyMatch(l -> l.matches("close p50 +RamDirectory +50\\.0 .* 10 .*")),
        lines.toString());
    assertTrue(
        lines.stream().anyMatch(l -> l.matches("wake-up p99 +MMapDirectory +7\\.00 .*")),
        lines.toString());
  }

  @Test
  void resultsHaveTheCommonShape() {
    Results results = report().results(Map.of());
    assertEquals(2 * 6, results.results().size());
    Result close = results.results().getFirst();
    assertEquals("close-reader", close.workload());
    assertEquals("MMapDirectory", close.directory());
    assertEquals("close p50", close.task());
    assertEquals("us", close.unit());
    assertEquals(2, close.samples().size());
    assertEquals(100, close.repetitions().getFirst().size());
    assertEquals(6, results.ratios().size());
    Ratio ratio = results.ratios().getFirst();
    assertEquals("RamDirectory", ratio.directory());
    assertEquals(10, ratio.ratio(), 0.01);
  }

  private static CloseReport report() {
    Map<DirectoryKind, List<CloseTimes>> times = new LinkedHashMap<>();
    times.put(DirectoryKind.LUCENE_MMAP, List.of(TEN_TIMES_THAT, TEN_TIMES_THAT));
    times.put(DirectoryKind.RAM, List.of(UP_TO_HUNDRED, UP_TO_HUNDRED));
    return new CloseReport(times, 2, 1);
  }

  private static CloseTimes times(long stepNanos, int count) {
    List<Long> nanos = LongStream.rangeClosed(1, count).map(i -> i * stepNanos).boxed().toList();
    return new CloseTimes("", nanos, nanos, List.of(7_000L));
  }
}
