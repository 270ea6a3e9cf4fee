// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.jmh.Reads.Cursor;
import io.github.lucenedirectories.benchmarks.jmh.Reads.InputFile;
import io.github.lucenedirectories.benchmarks.jmh.Reads.Operand;
import io.github.lucenedirectories.benchmarks.jmh.Reads.RandomReads;
import io.github.lucenedirectories.benchmarks.jmh.Reads.SequentialReads;
import io.github.lucenedirectories.benchmarks.jmh.Reads.Views;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/** Every benchmark does what it says on every directory. */
class BenchmarksTest {
  private static final int INVOCATIONS = 3;
  private static final Blackhole HOLE =
      new Blackhole(
          "Today's password is swordfish. I understand instantiating Blackholes directly is"
              + " dangerous.");

  static String[] directories() throws NoSuchFieldException {
    return DirectoryState.class.getField("directory").getAnnotation(Param.class).value();
  }

  /** A state set up as JMH would. */
  private static <T extends DirectoryState> T setUp(T state, String directory) throws IOException {
    state.directory = directory;
    if (state instanceof InputFile file) {
      file.fileBytes = Integer.toString(InputFile.MIN_FILE_BYTES);
    }
    state.setUp();
    return state;
  }

  @ParameterizedTest
  @MethodSource("directories")
  void readsGiveTheSumsOfTheBaselineAndGoOn(String directory) throws IOException {
    assertEquals(sums(Variants.BASELINE), sums(directory));
  }

  private static List<Long> sums(String directory) throws IOException {
    List<Long> sums = new ArrayList<>();
    for (Operand value : Operand.values()) {
      InputFile.OfValues file = new InputFile.OfValues();
      file.value = value;
      setUp(file, directory);
      each(sums, cursor -> new SequentialReads().read(file, cursor, HOLE));
      each(sums, cursor -> new RandomReads().read(file, cursor, HOLE));
      file.tearDown();
    }
    InputFile file = setUp(new InputFile(), directory);
    Views views = new Views();
    each(sums, cursor -> views.copy(file, cursor).readLong());
    each(sums, cursor -> views.copyAndRead(file, cursor));
    each(sums, cursor -> views.slice(file, cursor).readLong());
    each(sums, cursor -> views.sliceAndRead(file, cursor));
    each(sums, cursor -> views.randomAccessSlice(file, cursor).readLong(0));
    file.tearDown();
    return sums;
  }

  private static void each(List<Long> sums, Summed read) throws IOException {
    Cursor cursor = new Cursor();
    for (int i = 0; i < INVOCATIONS; i++) {
      sums.add(read.sum(cursor));
    }
  }

  private interface Summed {
    long sum(Cursor cursor) throws IOException;
  }

  @Test
  void sumOfBytesIsThatOfTheBlock() throws IOException {
    byte[] bytes = Block.randomBytes();
    SequentialReads benchmark = new SequentialReads();
    InputFile.OfValues file = setUp(new InputFile.OfValues(), Variants.BASELINE);
    Cursor cursor = new Cursor();
    // Over the end of the file once, where it must start again.
    for (int i = 0; i < InputFile.MIN_FILE_BYTES / Cursor.READS + 2; i++) {
      long expected = 0;
      for (int j = 0; j < Cursor.READS; j++) {
        expected += bytes[(i * Cursor.READS + j) % bytes.length];
      }
      assertEquals(expected, benchmark.read(file, cursor, HOLE), "invocation " + i);
    }
    file.tearDown();
  }

  @ParameterizedTest
  @MethodSource("directories")
  void openingReadsTheFirstByteAndLeavesNoFile(String directory) throws IOException {
    OpenAndClose.Files files = setUp(new OpenAndClose.Files(), directory);
    String[] before = files.directory().listAll();
    OpenAndClose benchmark = new OpenAndClose();
    for (int i = 0; i < 40; i++) {
      assertEquals(files.block[0], benchmark.open(files));
      assertEquals(files.block[0], benchmark.openOnce(files));
      assertEquals(files.block[4095], benchmark.createOpenDelete(files));
    }
    assertArrayEquals(before, files.directory().listAll());
    files.tearDown();
  }
}
