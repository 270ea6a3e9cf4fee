package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.Blackhole;

class MixedDirectoriesTest {
  private static final Blackhole HOLE =
      new Blackhole(
          "Today's password is swordfish. I understand instantiating Blackholes directly is"
              + " dangerous.");

  private static final List<Supplier<DirectoryPair>> LOOPS =
      List.of(
          MixedDirectories.DocValues::new,
          MixedDirectories.VInts::new,
          MixedDirectories.GroupVInts::new);

  @Test
  void everyChoiceReadsTheSameValues() throws IOException {
    for (Supplier<DirectoryPair> loop : LOOPS) {
      long expected = sum(loop, DirectoryPair.OURS, DirectoryPair.MEMORY);
      assertNotEquals(0, expected);
      assertEquals(expected, sum(loop, DirectoryPair.OURS, DirectoryPair.MAPPED));
      assertEquals(expected, sum(loop, DirectoryPair.LUCENE, DirectoryPair.MEMORY));
      assertEquals(expected, sum(loop, DirectoryPair.LUCENE, DirectoryPair.MAPPED));
    }
  }

  private static long sum(Supplier<DirectoryPair> loop, String pair, String file)
      throws IOException {
    DirectoryPair state = state(loop, pair, file, DirectoryPair.MIXED);
    try {
      state.keepCompany(HOLE);
      assertEquals(0, state.measuredInput().getFilePointer(), "read outside the measured time");
      assertEquals(
          state.sum(HOLE), state.otherSum(), "the other file must be read by the same loop");
      return state.sum(HOLE);
    } finally {
      state.tearDown();
    }
  }

  @Test
  void aloneNeverReadsTheOtherFile() throws IOException {
    DirectoryPair state =
        state(LOOPS.getFirst(), DirectoryPair.OURS, DirectoryPair.MEMORY, DirectoryPair.ALONE);
    try {
      state.keepCompany(HOLE);
      assertEquals(0, state.otherSum());
    } finally {
      state.tearDown();
    }
  }

  /** What the benchmark is about: it would show nothing if Lucene's pair shared a class. */
  @Test
  void lucenesInputsDifferInClassAndOursDoNot() throws IOException {
    assertEquals(
        inputClass(DirectoryPair.OURS, DirectoryPair.MEMORY),
        inputClass(DirectoryPair.OURS, DirectoryPair.MAPPED));
    assertNotEquals(
        inputClass(DirectoryPair.LUCENE, DirectoryPair.MEMORY),
        inputClass(DirectoryPair.LUCENE, DirectoryPair.MAPPED));
  }

  private static Class<?> inputClass(String pair, String file) throws IOException {
    DirectoryPair state = state(LOOPS.getFirst(), pair, file, DirectoryPair.ALONE);
    try {
      return state.measuredInput().getClass();
    } finally {
      state.tearDown();
    }
  }

  @Test
  void refusesAnUnknownChoice() {
    assertThrows(
        IllegalArgumentException.class,
        () -> state(LOOPS.getFirst(), "none", DirectoryPair.MEMORY, DirectoryPair.ALONE));
  }

  private static DirectoryPair state(
      Supplier<DirectoryPair> loop, String pair, String file, String company) throws IOException {
    DirectoryPair state = loop.get();
    state.pair = pair;
    state.file = file;
    state.company = company;
    state.setUp();
    return state;
  }
}
