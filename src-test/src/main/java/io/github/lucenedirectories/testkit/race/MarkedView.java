package io.github.lucenedirectories.testkit.race;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;

/**
 * A view of an open file in which every 8 bytes say which file they belong to and where in it they
 * lie. It reads and compares at random places.
 *
 * <p>The first word of the file is its id; word {@code i} after it is a hash of id and {@code i}.
 * Bytes of another file, or of another place, cannot be taken for the right ones.
 */
final class MarkedView {

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String kind;
  private final IndexInput in;
  private final long id;

  /** Index of the file's word that the view begins with. */
  private final int first;

  private final int words;

  MarkedView(String kind, IndexInput in, long id, int first) {
    this.kind = kind;
    this.in = in;
    this.id = id;
    this.first = first;
    this.words = Math.toIntExact(in.length() / Long.BYTES);
  }

  /** A clone or a slice of this view. */
  MarkedView derive(Random random) throws IOException {
    if (random.nextBoolean()) {
      return new MarkedView("clone of " + kind, in.clone(), id, first);
    }
    int from = random.nextInt(words);
    int count = 1 + random.nextInt(words - from);
    IndexInput slice = in.slice("part", (long) from * Long.BYTES, (long) count * Long.BYTES);
    return new MarkedView("slice of " + kind, slice, id, first + from);
  }

  /**
   * Reads at a random place in a random way and compares.
   *
   * @throws AlreadyClosedException if the file was closed
   * @throws AssertionError if the bytes are not those of this file
   */
  void read(Random random) throws IOException {
    int from = random.nextInt(words);
    long pos = (long) from * Long.BYTES;
    switch (random.nextInt(5)) {
      case 0 -> {
        in.seek(pos);
        compare(from, in.readLong(), "readLong");
      }
      case 1 -> compare(from, in.randomAccessSlice(pos, Long.BYTES).readLong(0), "random readLong");
      case 2 -> {
        long[] longs = new long[Math.min(words - from, 1 + random.nextInt(200))];
        in.seek(pos);
        in.readLongs(longs, 0, longs.length);
        for (int i = 0; i < longs.length; i++) {
          compare(from + i, longs[i], "readLongs");
        }
      }
      case 3 -> {
        byte[] bytes = new byte[Long.BYTES * Math.min(words - from, 1 + random.nextInt(600))];
        in.seek(pos);
        in.readBytes(bytes, 0, bytes.length);
        MemorySegment read = MemorySegment.ofArray(bytes);
        for (int i = 0; i < bytes.length / Long.BYTES; i++) {
          compare(from + i, read.get(LONG, (long) i * Long.BYTES), "readBytes");
        }
      }
      default -> readSegment(from, pos);
    }
  }

  /** Reads as Lucene's SIMD code does: the memory itself, without asking the input again. */
  private void readSegment(int from, long pos) throws IOException {
    int count = Math.min(words - from, 100);
    MemorySegment segment =
        in instanceof MemorySegmentAccessInput memory
            ? memory.segmentSliceOrNull(pos, (long) count * Long.BYTES)
            : null;
    if (segment == null) {
      in.seek(pos);
      compare(from, in.readLong(), "readLong");
      return;
    }
    for (int i = 0; i < count; i++) {
      long word;
      try {
        word = segment.get(LONG, (long) i * Long.BYTES);
      } catch (IllegalStateException e) {
        if (segment.scope().isAlive()) {
          throw e;
        }
        throw new AlreadyClosedException("segment of " + in, e);
      }
      compare(from + i, word, "segment");
    }
  }

  private void compare(int index, long actual, String way) {
    long expected = word(id, first + index);
    if (actual != expected) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s of %s: word %d of file %x is %x, read %x",
              way,
              this,
              first + index,
              id,
              expected,
              actual));
    }
  }

  @Override
  public String toString() {
    return kind + " " + in;
  }

  static long word(long id, long index) {
    if (index == 0) {
      return id;
    }
    long hash = (id ^ index * 0x9E37_79B9_7F4A_7C15L) * 0xBF58_476D_1CE4_E5B9L;
    return hash ^ hash >>> 31;
  }

  static void write(Directory directory, String name, long id, int words) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < words; i++) {
        out.writeLong(word(id, i));
      }
    }
  }
}
