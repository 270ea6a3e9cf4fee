package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.infra.ThreadParams;

class DependentReadsTest {
  private static final int SLOTS = 1 << 15;

  static List<String> directories() {
    return MicroWorkload.DIRECTORIES;
  }

  @ParameterizedTest
  @MethodSource("directories")
  void chainReturnsToItsStartOnlyAtTheEnd(String directory) throws IOException {
    DependentReads.Chain chain = chain(directory);
    try {
      DependentReads benchmark = new DependentReads();
      DependentReads.Place place = new DependentReads.Place();
      place.start(chain, thread(0, 1));
      RandomCycle cycle = new RandomCycle(Integer.numberOfTrailingZeros(SLOTS));
      long slot = 0;
      for (int read = 1; read <= SLOTS; read++) {
        slot = cycle.next(slot);
        if (read % DependentReads.READS == 0) {
          assertEquals(slot * Long.BYTES, benchmark.readLong(place), "after reads=" + read);
          assertEquals(read == SLOTS, place.position == 0, "after reads=" + read);
        }
      }
    } finally {
      chain.tearDown();
    }
  }

  @Test
  void threadsStartFarFromEachOther() throws IOException {
    DependentReads.Chain chain = chain("RamDirectory");
    try {
      DependentReads.Place first = new DependentReads.Place();
      DependentReads.Place second = new DependentReads.Place();
      first.start(chain, thread(0, 2));
      second.start(chain, thread(1, 2));
      assertEquals(0, first.position);
      assertEquals(SLOTS / 2 * Long.BYTES, second.position);
      DependentReads benchmark = new DependentReads();
      assertNotEquals(benchmark.readLong(first), benchmark.readLong(second));
    } finally {
      chain.tearDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"32k", "96k", "x"})
  void refusesALengthThatIsNoPowerOfTwo(String text) {
    assertThrows(IllegalArgumentException.class, () -> DependentReads.Chain.parse(text));
  }

  private static DependentReads.Chain chain(String directory) throws IOException {
    DependentReads.Chain chain = new DependentReads.Chain();
    chain.directory = directory;
    chain.chainBytes = SLOTS * Long.BYTES / 1024 + "k";
    chain.setUp();
    return chain;
  }

  private static ThreadParams thread(int index, int count) {
    return new ThreadParams(index, count, 0, 1, 0, 1, index, count, index, count);
  }
}
