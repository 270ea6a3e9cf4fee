// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.workload.Draw.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DrawTest {
  private static final int TASKS = 250;
  private static final int DRAWN = 100_000;

  private static List<Integer> drawn(Way way, long seed, int part, int tasks, int count) {
    Draw<Integer> draw = new Draw<>(way, IntStream.range(0, tasks).boxed().toList(), seed, part);
    List<Integer> all = new ArrayList<>();
    for (Integer next = draw.next(n -> n >= count);
        next != null;
        next = draw.next(n -> n >= count)) {
      all.add(next);
    }
    assertEquals(count, all.size());
    assertNull(draw.next(n -> n >= count), "nothing after the end");
    return all;
  }

  private static Map<Integer, Integer> counts(List<Integer> drawn) {
    Map<Integer, Integer> counts = new HashMap<>();
    drawn.forEach(task -> counts.merge(task, 1, Integer::sum));
    return counts;
  }

  private static List<Integer> descending(Map<Integer, Integer> counts) {
    return counts.values().stream().sorted(Collections.reverseOrder()).toList();
  }

  @Test
  void uniformDrawsEachTaskOnceAPass() {
    List<Integer> drawn = drawn(Way.UNIFORM, 42, 0, TASKS, 3 * TASKS + 1);
    for (int pass = 0; pass < 3; pass++) {
      List<Integer> part = drawn.subList(pass * TASKS, (pass + 1) * TASKS);
      assertEquals(TASKS, new HashSet<>(part).size());
      assertNotEquals(part.stream().sorted().toList(), part, "in random order");
    }
    assertNotEquals(drawn.subList(0, TASKS), drawn.subList(TASKS, 2 * TASKS), "another each time");
  }

  /** The task of rank r is drawn 1/r as often as the first, by Zipf's law with exponent 1. */
  @Test
  void zipfDrawsByRank() {
    for (int tasks : new int[] {1, 2, TASKS}) {
      double harmonic = IntStream.rangeClosed(1, tasks).mapToDouble(rank -> 1.0 / rank).sum();
      List<Integer> counts = descending(counts(drawn(Way.ZIPF, 7, 0, tasks, DRAWN)));
      assertEquals(tasks, counts.size(), "each is drawn");
      for (int rank = 1; rank <= Math.min(tasks, 10); rank++) {
        double expected = DRAWN / (rank * harmonic);
        // Five standard deviations of a count.
        assertEquals(expected, counts.get(rank - 1), 5 * Math.sqrt(expected), "rank " + rank);
      }
    }
  }

  @Test
  void zipfRanksAreThoseOfTheSeedInEveryPart() {
    Set<Integer> mostDrawn = new HashSet<>();
    for (long seed = 1; seed <= 5; seed++) {
      Set<Integer> inParts = new HashSet<>();
      for (int part = 0; part < 3; part++) {
        Map<Integer, Integer> counts = counts(drawn(Way.ZIPF, seed, part, TASKS, 5_000));
        inParts.add(Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey());
      }
      assertEquals(1, inParts.size(), "the same in every part of a run");
      mostDrawn.addAll(inParts);
    }
    assertTrue(mostDrawn.size() >= 4, "another with another seed, not by place in the list");
  }

  @Test
  void repeatDrawsTheSameHundred() {
    Map<Integer, Integer> counts = counts(drawn(Way.REPEAT, 42, 0, TASKS, 1_000));
    assertEquals(100, counts.size());
    assertEquals(Set.of(10), new HashSet<>(counts.values()), "each as often");
    assertEquals(
        counts.keySet(), counts(drawn(Way.REPEAT, 42, 1, TASKS, 100)).keySet(), "in each part");
    assertNotEquals(
        counts.keySet(), counts(drawn(Way.REPEAT, 43, 0, TASKS, 100)).keySet(), "by the seed");
    assertEquals(99, counts(drawn(Way.REPEAT, 42, 0, 99, 1_000)).size(), "all of fewer");
  }

  @ParameterizedTest
  @EnumSource
  void theSeedAndThePartGiveTheOrder(Way way) {
    List<Integer> first = drawn(way, 42, 0, TASKS, 300);
    assertEquals(first, drawn(way, 42, 0, TASKS, 300));
    assertNotEquals(first, drawn(way, 42, 1, TASKS, 300));
    assertNotEquals(first, drawn(way, 43, 0, TASKS, 300));
  }
}
