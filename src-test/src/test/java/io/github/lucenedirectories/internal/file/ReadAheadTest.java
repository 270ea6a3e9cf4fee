package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What a sequential reader has on its way. */
public class ReadAheadTest extends LibraryTestCase {

  /** Each byte is asked for once, before it is read, not too early and not too many together. */
  public void testEachByteIsAskedForOnce() {
    int readBytes = random().nextInt(ReadAhead.LEAST_READ_BYTES, 1 << 16);
    int window = Math.min(4 * readBytes, ReadAhead.MOST_BYTES);
    long begin = random().nextLong(1L << 40);
    long end = begin + random().nextLong(1, 100L * readBytes);
    Asked asked = new Asked();
    long until = 0;
    for (long pos = begin; pos < end; ) {
      int n = (int) Math.min(random().nextInt(1, 1 << 16), end - pos);
      until = ReadAhead.beforeRead(asked, pos, n, readBytes, end, until);
      pos += n;
      assertTrue("asked " + until + ", read " + pos, until >= pos);
      assertTrue("asked " + until + ", read " + pos, until <= pos + window);
    }
    assertEquals(end, until);
    long known = begin;
    for (Range range : asked.ranges) {
      assertEquals(known, range.pos);
      assertTrue("" + range, range.length <= ReadAhead.MOST_BYTES);
      known += range.length;
    }
    assertEquals(end, known);
    long most = 1 + (end - begin) / (window / 2);
    assertTrue(asked.ranges.size() + " requests, not " + most, asked.ranges.size() <= most);
  }

  /** A reader that has just begun asks for nothing. */
  public void testShortRun() {
    Asked asked = new Asked();
    int readBytes = random().nextInt(1, ReadAhead.LEAST_READ_BYTES);
    assertEquals(7, ReadAhead.beforeRead(asked, 100_000, 100, readBytes, 1_000_000, 7));
    assertEquals(List.of(), asked.ranges);
  }

  /** A long read asks for itself: this asks for what comes after it. */
  public void testLongRead() {
    Asked asked = new Asked();
    assertEquals(331_072, ReadAhead.beforeRead(asked, 0, 200_000, 1 << 16, 1_000_000, 0));
    assertEquals(List.of(new Range(200_000, 131_072)), asked.ranges);
  }

  /** After a jump back, as after one ahead, what is read is asked for again. */
  public void testJumps() throws IOException {
    Asked asked = new Asked();
    try (IndexInput in =
        new BlockIndexInput("asked", "_0.cfs", asked, ReadSizes.DEFAULT, null, IOContext.DEFAULT)) {
      for (int begin : List.of(0, 100_000, 700_000)) {
        asked.ranges.clear();
        in.seek(begin);
        for (int i = 0; i < 200_000; i++) {
          in.readByte();
        }
        long known = asked.ranges.getFirst().pos;
        assertTrue("" + known, known >= begin && known < begin + (1 << 14));
        for (Range range : asked.ranges) {
          assertEquals(known, range.pos);
          known += range.length;
        }
        assertTrue("" + known, known >= begin + 200_000 && known < begin + 300_000);
      }
    }
  }

  /** What was not asked for is asked for by the next read. */
  public void testNotAsked() {
    Asked asked = new Asked();
    asked.refuses = true;
    assertEquals(7, ReadAhead.beforeRead(asked, 100_000, 10_000, 10_000, 1_000_000, 7));
    asked.refuses = false;
    assertEquals(160_000, ReadAhead.beforeRead(asked, 110_000, 10_000, 10_000, 1_000_000, 7));
    assertEquals(List.of(new Range(100_000, 50_000), new Range(110_000, 50_000)), asked.ranges);
  }

  /** A short file within a compound file comes as a whole, a long one or a part as it is read. */
  public void testFileWithinCompoundFile() throws IOException {
    Asked asked = new Asked();
    long length = random().nextBoolean() ? ReadAhead.SHORT_BYTES : random().nextLong(1, 9_999);
    try (IndexInput in =
        new BlockIndexInput("asked", "_0.cfs", asked, ReadSizes.DEFAULT, null, IOContext.DEFAULT)) {
      in.slice("short", 5_000, length, IOContext.DEFAULT);
      assertEquals(List.of(new Range(5_000, length)), asked.ranges);
      in.slice("long", 5_000, ReadAhead.SHORT_BYTES + 1, IOContext.DEFAULT);
      in.slice("empty", 5_000, 0, IOContext.DEFAULT);
      in.slice("part", 5_000, length);
      assertEquals(1, asked.ranges.size());
    }
  }

  private record Range(long pos, long length) {}

  /** A file that notes what is asked for. */
  private static final class Asked implements PositionalFile {
    final List<Range> ranges = new ArrayList<>();

    boolean refuses;

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
    public void read(long pos, byte[] target, int offset, int length) {}

    @Override
    public void read(long pos, MemorySegment target) {
      throw new AssertionError();
    }

    @Override
    public void prefetch(long pos, long length) {
      throw new AssertionError();
    }

    @Override
    public Optional<Boolean> isLoaded(long pos, long length) {
      throw new AssertionError();
    }

    @Override
    public void close() {}
  }
}
