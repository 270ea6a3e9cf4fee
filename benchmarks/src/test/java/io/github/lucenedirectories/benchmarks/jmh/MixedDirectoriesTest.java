package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.Blackhole;

class MixedDirectoriesTest {
  private static final Blackhole HOLE =
      new Blackhole(
          "Today's password is swordfish. I understand instantiating Blackholes directly is"
              + " dangerous.");

  /** The other file is read by the same loop, only if asked for, and outside the measured time. */
  @Test
  void everyChoiceReadsTheSameValues() throws IOException {
    List<Supplier<MixedDirectories.Pair>> loops =
        List.of(
            MixedDirectories.DocValues::new,
            MixedDirectories.VInts::new,
            MixedDirectories.GroupVInts::new);
    for (Supplier<MixedDirectories.Pair> loop : loops) {
      Set<Long> sums = new HashSet<>();
      for (String directory : MixedDirectories.PAIRS) {
        Set<Class<?>> inputs = new HashSet<>();
        for (String file : List.of("memory", "mapped")) {
          for (String company : List.of("alone", "mixed")) {
            MixedDirectories.Pair state = loop.get();
            state.directory = directory;
            state.file = file;
            state.company = company;
            state.setUp();
            try {
              state.keepCompany(HOLE);
              assertEquals(0, state.measuredInput().getFilePointer());
              long sum = state.sum(HOLE);
              assertNotEquals(0, sum);
              assertEquals(company.equals("mixed") ? sum : 0, state.otherSum);
              sums.add(sum);
              inputs.add(state.measuredInput().getClass());
            } finally {
              state.tearDown();
            }
          }
        }
        // What the benchmark is about: it would show nothing if Lucene's pair shared a class.
        assertEquals(directory.equals("RamOverMapped") ? 1 : 2, inputs.size(), directory);
      }
      assertEquals(1, sums.size());
    }
  }
}
