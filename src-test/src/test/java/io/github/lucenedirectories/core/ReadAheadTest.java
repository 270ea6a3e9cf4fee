package io.github.lucenedirectories.core;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a sequential reader has on its way. */
public class ReadAheadTest extends LuceneTestCase {

  /** Each byte is asked for once, before it is read, and not too early. */
  public void testEachByteIsAskedForOnce() {
    int bytes = random().nextInt(ReadAhead.LEAST_BYTES, 1 << 16);
    long begin = random().nextLong(1L << 40);
    long end = begin + random().nextLong(1, 100L * bytes);
    Asked asked = new Asked();
    long until = 0;
    for (long pos = begin; pos < end; pos += bytes) {
      int n = (int) Math.min(bytes, end - pos);
      until = ReadAhead.beforeRead(asked, pos, n, end, until);
      long readEnd = pos + n;
      assertTrue("asked " + until + ", read " + readEnd, until >= readEnd);
      assertTrue("asked " + until + ", read " + readEnd, until <= readEnd + 4L * bytes);
    }
    assertEquals(end, until);
    long known = begin;
    for (Range range : asked.ranges) {
      assertEquals(known, range.pos);
      known += range.length;
    }
    assertEquals(end, known);
    long most = 1 + (end - begin) / (2L * bytes);
    assertTrue(asked.ranges.size() + " requests, not " + most, asked.ranges.size() <= most);
  }

  /** Another place is asked for anew, before and behind. */
  public void testJump() {
    Asked asked = new Asked();
    long until = ReadAhead.beforeRead(asked, 100_000, 10_000, 1_000_000, 0);
    until = ReadAhead.beforeRead(asked, 500_000, 10_000, 1_000_000, until);
    until = ReadAhead.beforeRead(asked, 200_000, 10_000, 1_000_000, until);
    assertEquals(250_000, until);
    assertEquals(
        List.of(new Range(100_000, 50_000), new Range(500_000, 50_000), new Range(200_000, 50_000)),
        asked.ranges);
  }

  /** A reader that has just begun asks for nothing. */
  public void testShortRun() {
    Asked asked = new Asked();
    int bytes = random().nextInt(1, ReadAhead.LEAST_BYTES);
    assertEquals(7, ReadAhead.beforeRead(asked, 100_000, bytes, 1_000_000, 7));
    assertEquals(List.of(), asked.ranges);
  }

  private record Range(long pos, long length) {}

  /** A file that notes what is asked for. */
  private static final class Asked implements PositionalFile {
    final List<Range> ranges = new ArrayList<>();

    @Override
    public void readAhead(long pos, long length) {
      ranges.add(new Range(pos, length));
    }

    @Override
    public long length() {
      throw new AssertionError();
    }

    @Override
    public void ensureOpen() {
      throw new AssertionError();
    }

    @Override
    public void read(long pos, byte[] target, int offset, int length) {
      throw new AssertionError();
    }

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
    public void close() {
      throw new AssertionError();
    }
  }
}
