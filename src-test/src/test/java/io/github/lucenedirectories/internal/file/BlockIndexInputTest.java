// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IORunnable;

/** What an input reads and asks of its file, and when reads count as reads from memory. */
public class BlockIndexInputTest extends LibraryTestCase {

  private record Range(long pos, long length) {}

  /** A file that notes what is asked for ahead. */
  private static final class Asked implements PositionalFile {
    private final List<Range> ranges = new ArrayList<>();
    private boolean refuses;
    private IORunnable duringRead = () -> {};

    @Override
    public boolean readAhead(long pos, long length) {
      ranges.add(new Range(pos, length));
      return !refuses;
    }

    @Override
    public long length() {
      return 1_000_000;
    }

    @Override
    public void ensureOpen() {}

    @Override
    public void read(long pos, byte[] target, int offset, int length) throws IOException {
      duringRead.run();
    }

    @Override
    public void prefetch(FileKind kind, long pos, long length) {
      throw new AssertionError();
    }

    @Override
    public void close() {}

    /** Fails unless the ranges follow one another; returns the end of the last one. */
    private long end() {
      long known = ranges.getFirst().pos;
      for (Range range : ranges) {
        assertEquals(known, range.pos);
        assertTrue("" + range, range.length <= ReadRun.MOST_BYTES);
        known += range.length;
      }
      return known;
    }
  }

  private final Asked asked = new Asked();

  private BlockIndexInput open() {
    return new BlockIndexInput("asked", "_0.cfs", asked, null, IOContext.DEFAULT);
  }

  /** On a file on which a read is under way. */
  public void testClosedDuringRead() throws IOException {
    BlockIndexInput in = open();
    asked.duringRead = in::close;
    expectThrows(AlreadyClosedException.class, in::readByte);
    asked.duringRead = () -> {};
    expectThrows(AlreadyClosedException.class, in::readByte);
    expectThrows(AlreadyClosedException.class, () -> in.readByte(1));
  }

  public void testRunGrows() {
    int randomBytes = 1 << random().nextInt(3, 13);
    ReadRun run = new ReadRun(randomBytes);
    for (int jump = 0; jump < 3; jump++) {
      assertEquals(randomBytes, run.nextBytes(true));
      assertEquals(randomBytes, run.nextBytes(false));
      long begin = jump * 10L * ReadRun.LONG_RUN_BYTES;
      long at = begin;
      while (at < begin + 2 * ReadRun.LONG_RUN_BYTES) {
        int bytes = run.nextBytes(true);
        assertTrue(bytes <= run.largest(at - begin >= ReadRun.LONG_RUN_BYTES));
        run.grow(bytes);
        at += bytes;
        run.endedAt(at);
        assertTrue(run.continues(at, 1));
        assertFalse(run.continues(at + (1 << 13), 1));
      }
      assertEquals(run.largest(true), run.nextBytes(true));
      assertEquals(randomBytes, run.nextBytes(false));
      run.restart();
    }
  }

  /** Each byte is asked for once, before it is read, not too early and not too many together. */
  public void testEachByteIsAskedForOnce() {
    int readBytes = random().nextInt(ReadRun.LEAST_READ_BYTES, 1 << 16);
    int window = Math.min(4 * readBytes, ReadRun.MOST_BYTES);
    long begin = random().nextLong(1L << 40);
    long end = begin + random().nextLong(1, 100L * readBytes);
    long until = 0;
    for (long pos = begin; pos < end; ) {
      int n = (int) Math.min(random().nextInt(1, 1 << 16), end - pos);
      until = ReadRun.beforeRead(asked, pos, n, readBytes, end, until);
      pos += n;
      assertTrue("asked " + until + ", read " + pos, until >= pos && until <= pos + window);
    }
    assertEquals(end, until);
    assertEquals(begin, asked.ranges.getFirst().pos);
    assertEquals(end, asked.end());
    long most = 1 + (end - begin) / (window / 2);
    assertTrue(asked.ranges.size() + " requests, not " + most, asked.ranges.size() <= most);
  }

  /** A reader that has just begun asks for nothing, and a long read for what comes after it. */
  public void testShortAndLongReads() {
    int readBytes = random().nextInt(1, ReadRun.LEAST_READ_BYTES);
    assertEquals(7, ReadRun.beforeRead(asked, 100_000, 100, readBytes, 1_000_000, 7));
    assertEquals(List.of(), asked.ranges);
    assertEquals(331_072, ReadRun.beforeRead(asked, 0, 200_000, 1 << 16, 1_000_000, 0));
    assertEquals(List.of(new Range(200_000, 131_072)), asked.ranges);
  }

  /** After a jump back, as after one ahead, what is read is asked for again. */
  public void testJumps() throws IOException {
    try (IndexInput in = open()) {
      for (int begin : List.of(0, 100_000, 700_000)) {
        asked.ranges.clear();
        in.seek(begin);
        for (int i = 0; i < 200_000; i++) {
          in.readByte();
        }
        long first = asked.ranges.getFirst().pos;
        assertTrue("" + first, first >= begin && first < begin + (1 << 14));
        long end = asked.end();
        assertTrue("" + end, end >= begin + 200_000 && end < begin + 300_000);
      }
    }
  }

  /** What was not asked for is asked for by the next read. */
  public void testNotAsked() {
    asked.refuses = true;
    assertEquals(7, ReadRun.beforeRead(asked, 100_000, 10_000, 10_000, 1_000_000, 7));
    asked.refuses = false;
    assertEquals(160_000, ReadRun.beforeRead(asked, 110_000, 10_000, 10_000, 1_000_000, 7));
    assertEquals(List.of(new Range(100_000, 50_000), new Range(110_000, 50_000)), asked.ranges);
  }

  /** A short file within a compound file comes as a whole, a long one or a part as it is read. */
  public void testFileWithinCompoundFile() throws IOException {
    long length = random().nextBoolean() ? ReadRun.SHORT_BYTES : random().nextLong(1, 9_999);
    try (IndexInput in = open()) {
      in.slice("short", 5_000, length, IOContext.DEFAULT);
      in.slice("long", 5_000, ReadRun.SHORT_BYTES + 1, IOContext.DEFAULT);
      in.slice("empty", 5_000, 0, IOContext.DEFAULT);
      in.slice("part", 5_000, length);
      assertEquals(List.of(new Range(5_000, length)), asked.ranges);
    }
  }

  private static final long FAST_NANOS = 2_000;
  private static final long SLOW_NANOS = 50_000;

  /** The pace must be that of memory after so many fast reads. */
  private static final int ROW = 64;

  private final LatencyProbe pace = new LatencyProbe();

  /**
   * A file counts as one of the device until a long row of reads was fast; one slow read ends it.
   */
  public void testRowOfFastReads() {
    for (int i = 0; i < 2; i++) {
      fast(ROW - 1);
      assertFalse(pace.fromMemory());
      fast(random().nextInt(1, 10 * ROW));
      assertTrue(pace.fromMemory());
      pace.note(SLOW_NANOS, 1_024);
      assertFalse(pace.fromMemory());
    }
  }

  /** A long read may take the time that copying its bytes takes. */
  public void testLongReads() {
    int bytes = 1 << 20;
    for (int i = 0; i < ROW; i++) {
      pace.note(SLOW_NANOS + bytes / 8, bytes);
    }
    assertTrue(pace.fromMemory());
    pace.note(SLOW_NANOS + bytes / 2, bytes);
    assertFalse(pace.fromMemory());
  }

  /** Reads of a scan are timed wherever they begin, and one in eight of those that jump. */
  public void testWhichReadsAreTimed() {
    int timed = 0;
    for (int i = 0; i < 1_000; i++) {
      long pos = random().nextLong(1L << 40);
      assertNotEquals(0, pace.begin(pos, 1 << 13));
      timed += pace.begin(pos, 1_024) == 0 ? 0 : 1;
    }
    assertTrue("" + timed, timed > 60 && timed < 250);
  }

  private void fast(int reads) {
    for (int i = 0; i < reads; i++) {
      pace.note(FAST_NANOS, 1_024);
    }
  }
}
