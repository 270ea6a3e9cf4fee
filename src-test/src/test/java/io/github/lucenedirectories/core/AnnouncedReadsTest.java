package io.github.lucenedirectories.core;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.Rule;

/** What is announced comes with the read that begins in it, or is asked for by itself. */
@LuceneTestCase.SuppressFileSystems("*") // what is read natively must be a real file
public class AnnouncedReadsTest extends LuceneTestCase {

  private static final int LENGTH = 1_000_000;

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  private byte[] bytes = {};

  private NativeFile open() throws IOException {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    bytes = DirectorySuite.randomBytes(LENGTH);
    Path path = createTempFile();
    Files.write(path, bytes);
    return NativeFile.open(path, NativeTarget.of(path).orElseThrow(), DirectMerges.NEVER);
  }

  private void read(NativeFile file, int pos, int length) throws IOException {
    byte[] read = new byte[length + 2];
    file.read(pos, read, 1, length);
    assertArrayEquals(
        Arrays.copyOfRange(bytes, pos, pos + length), Arrays.copyOfRange(read, 1, length + 1));
    assertEquals(0, read[0]);
    assertEquals(0, read[length + 1]);
  }

  private static long asked() {
    return PathCounter.NATIVE_PREFETCH.count();
  }

  public void testReadOfWhatWasAnnounced() throws IOException {
    try (NativeFile file = open()) {
      long before = asked();
      for (int i = 0; i < 30; i++) {
        int pos = random().nextInt(1_000, LENGTH - 100_000);
        file.prefetch(pos, random().nextBoolean() ? 1 : random().nextInt(1, 30_000));
        read(file, pos - random().nextInt(1_000), 1_000);
      }
      // At the end of the file, and a read that is longer than what was announced.
      file.prefetch(LENGTH - 1, 1);
      read(file, LENGTH - 1, 1);
      file.prefetch(5_000, 1);
      read(file, 1_000, 200_000);
      assertEquals(before, asked());
    }
  }

  public void testReadElsewhere() throws IOException {
    try (NativeFile file = open()) {
      long before = asked();
      file.prefetch(500_000, 1);
      read(file, 100_000, 1_000);
      assertEquals(before + 1, asked());
      read(file, 500_000, 1_000);
      assertEquals(before + 1, asked());
    }
  }

  public void testSeveral() throws IOException {
    try (NativeFile file = open()) {
      long before = asked();
      for (int i = 1; i <= 10; i++) {
        file.prefetch(50_000L * i, 1);
        assertEquals(before + i - 1, asked());
      }
      // Too long to come with a read.
      file.prefetch(700_000, 100_000);
      assertEquals(before + 10, asked());
      read(file, 500_000, 1_000);
      assertEquals(before + 10, asked());
    }
  }

  public void testClosedFile() throws IOException {
    try (NativeFile announced = open()) {
      announced.prefetch(500_000, 1);
    }
    try (NativeFile other = open()) {
      long before = asked();
      read(other, 100_000, 1_000);
      assertEquals(before, asked());
    }
  }

  /** Who announces in one thread and reads in another is not disturbed. */
  public void testOtherThread() throws Exception {
    try (NativeFile file = open()) {
      Thread thread = new Thread(() -> file.prefetch(500_000, 1));
      thread.start();
      thread.join();
      read(file, 500_000, 1_000);
    }
  }
}
