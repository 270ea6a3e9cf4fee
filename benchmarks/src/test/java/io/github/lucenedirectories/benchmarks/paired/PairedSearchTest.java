// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.VectorUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that take turns, each with classes of its own. */
class PairedSearchTest {
  private static final long TURN_NANOS = 20_000_000;
  private static final Column BASELINE = Column.of("MMapDirectory", Use.SEARCH);

  @TempDir private Path folder;

  private PairedSearch search() throws IOException {
    Path index =
        SampleText.index(SampleText.lineFile(folder.resolve("text"), 500), folder.resolve("index"));
    Path tasks = Files.writeString(folder.resolve("tasks"), "Term: apple\nTerm: nosuchword\n");
    Prepared prepared =
        new Prepared(
            index.toString(),
            "",
            "body",
            tasks.toString(),
            0,
            0,
            0,
            List.of("Term"),
            2,
            0,
            List.of());
    return new PairedSearch(prepared, List.of(BASELINE), 1, 1, 1, 1, 1, folder.toString());
  }

  @Test
  void eachContenderHasClassesOfItsOwnWithVectorInstructions() throws Exception {
    PairedSearch search = search();
    try (Contender one = search.open(BASELINE, folder);
        Contender other = search.open(BASELINE, folder)) {
      assertNotSame(one.getClass(), other.getClass());
      assertEquals(one.answers(), other.answers());
      assertTrue(one.directory().startsWith("MMapDirectory@"), one.directory());
      ClassLoader loader = one.getClass().getClassLoader();
      assertSame(Contender.class, loader.loadClass(Contender.class.getName()));
      Class<?> vectors = loader.loadClass(VectorUtil.class.getName());
      assertNotSame(VectorUtil.class, vectors);
      // The Vector API, where this JVM has it.
      assertEquals(vectorSupport(VectorUtil.class), vectorSupport(vectors));
    }
  }

  private static String vectorSupport(Class<?> vectorUtil) throws ReflectiveOperationException {
    Field chosen = vectorUtil.getDeclaredField("IMPL");
    chosen.setAccessible(true);
    return chosen.get(null).getClass().getName();
  }

  @Test
  void aSlowedDirectoryIsSlower() throws Exception {
    PairedSearch search = search();
    try (Contender one = search.open(BASELINE, folder);
        Contender slow = search.open(BASELINE.with("slow", PairedSearch.SLOWDOWN, "1"), folder)) {
      List<Double> rates = new ArrayList<>();
      List<Double> slowed = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        rates.add(one.turn(0, "Term", TURN_NANOS));
        slowed.add(slow.turn(0, "Term", TURN_NANOS));
      }
      double ratio = PairedSearch.rate(rates, slowed) / Medians.of(rates);
      assertTrue(ratio < 0.75, "half as fast, and came out as " + ratio);
      assertTrue(one.allocatedBytes() > 0);
    }
  }

  @Test
  void whatSlowsNeighbouringTurnsAlikeIsNotInTheRatio() {
    List<Double> baseline = new ArrayList<>();
    List<Double> other = new ArrayList<>();
    for (int round = 0; round < 15; round++) {
      double machine = round % 2 == 0 ? 1 : 0.4;
      baseline.add(1000 * machine);
      // One turn in five is disturbed alone.
      other.add(1100 * machine * (round % 5 == 0 ? 0.5 : 1));
    }
    double ratio = PairedSearch.rate(baseline, other) / Medians.of(baseline);
    assertEquals(1.1, ratio, 1e-9);
  }
}
