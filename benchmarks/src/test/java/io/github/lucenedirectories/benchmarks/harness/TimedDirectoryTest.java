// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.TimedDirectory.OwnTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose time is counted as what; and bytes pass as without it. */
class TimedDirectoryTest {
  private static final long OPENING = 100;
  private static final int BLOCKS = 3;
  private static final long SEED = 31;

  @TempDir private Path folder;

  /* Each look at the clock takes one nanosecond: so does each call, and an open longer. */
  private final AtomicLong clock = new AtomicLong();
  private final TimedDirectory timed = new TimedDirectory(new Slow(), clock::getAndIncrement);

  private final class Slow extends FilterDirectory {
    Slow() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      clock.addAndGet(OPENING);
      return in.openInput(name, context);
    }
  }

  private void everything() throws IOException {
    try (IndexOutput out = timed.createOutput("a", IOContext.DEFAULT)) {
      for (int i = 0; i < BLOCKS * TimedDirectory.BLOCK_BYTES; i++) {
        out.writeByte((byte) i);
      }
    }
    timed.openInput("a", IOContext.READONCE).close();
    timed.listAll();
    timed.fileLength("a");
    timed.getPendingDeletions();
    timed.sync(List.of("a"));
    timed.syncMetaData();
    timed.rename("a", "b");
    timed.deleteFile("b");
  }

  /* Three blocks and a close, an open, three looks, a creation, a deletion. */
  private static final OwnTime ALL = new OwnTime(3, BLOCKS + 1 + OPENING + 1 + 3 + 2);

  @Test
  void timeIsCounted() throws IOException {
    everything();
    OwnTime own = timed.ofThisThread();
    assertEquals(ALL, own);
    timed.close();
    assertThrows(AlreadyClosedException.class, timed::listAll);
  }

  @Test
  void threadsHaveAccountsOfTheirOwn() throws Exception {
    timed.listAll();
    OwnTime before = timed.ofThisThread();
    FutureTask<OwnTime> other =
        new FutureTask<>(
            () -> {
              everything();
              return timed.ofThisThread();
            });
    Thread.ofPlatform().start(other);
    assertEquals(ALL, other.get());
    assertEquals(OwnTime.NONE, timed.ofThisThread().since(before));
  }

  @Test
  void failuresAreMeasuredAndThrown() {
    assertThrows(IOException.class, () -> timed.openInput("none", IOContext.DEFAULT));
    assertThrows(IOException.class, () -> timed.deleteFile("none"));
    assertEquals(OPENING + 2, timed.ofThisThread().other());
  }

  /** Pieces of random lengths, some longer than a block. */
  @Test
  void bytesAndChecksumsAreThoseOfTheDirectory() throws IOException {
    Random random = new Random(SEED);
    byte[] expected = new byte[10 * TimedDirectory.BLOCK_BYTES + random.nextInt(100)];
    random.nextBytes(expected);
    CRC32 checksum = new CRC32();
    checksum.update(expected);
    try (Directory plain = new MMapDirectory(folder);
        Directory through = new TimedDirectory(plain)) {
      IndexOutput out = through.createTempOutput("b", "c", IOContext.DEFAULT);
      try (out) {
        for (int at = 0; at < expected.length; at = (int) out.getFilePointer()) {
          int most = random.nextInt(10) == 0 ? 20_000 : 60;
          out.writeBytes(expected, at, Math.min(random.nextInt(most), expected.length - at));
        }
        assertEquals(checksum.getValue(), out.getChecksum());
      }
      assertTrue(out.getName().startsWith("b_c"), out.getName());
      try (IndexInput in = through.openInput(out.getName(), IOContext.DEFAULT)) {
        byte[] found = new byte[expected.length];
        in.readBytes(found, 0, found.length);
        assertArrayEquals(expected, found);
      }
    }
  }
}
