package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes through a timed directory arrives as without it. */
class TimedDirectoryTest {
  private static final long SEED = 31;
  private static final int STEPS = 4000;
  private static final IOContext[] CONTEXTS = {IOContext.DEFAULT, IOContext.READONCE};

  @TempDir private Path folder;

  enum Kind {
    MMAP,
    NIOFS,
    BYTE_BUFFERS,
    MAPPED,
    NIO,
    RAM
  }

  private Directory open(Kind kind) throws IOException {
    return switch (kind) {
      case MMAP -> new MMapDirectory(folder);
      case NIOFS -> new NIOFSDirectory(folder);
      case BYTE_BUFFERS -> new ByteBuffersDirectory();
      case MAPPED -> new MappedDirectory(folder);
      case NIO -> new NioDirectory(folder);
      case RAM -> new RamDirectory();
    };
  }

  /** Writes random pieces; after each the position and now and then the checksum must be right. */
  private static byte[] write(Directory directory, String name, Random random) throws IOException {
    byte[] expected = new byte[STEPS * 40];
    int length = 0;
    CRC32 checksum = new CRC32();
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      assertEquals(name, out.getName());
      for (int step = 0; step < STEPS; step++) {
        byte[] piece = new byte[pieceLength(random)];
        random.nextBytes(piece);
        if (length + piece.length > expected.length) {
          break;
        }
        switch (piece.length) {
          case 1 -> out.writeByte(piece[0]);
          case 4 -> out.writeInt(little(piece).getInt());
          case 8 -> out.writeLong(little(piece).getLong());
          default -> out.writeBytes(piece, 0, piece.length);
        }
        System.arraycopy(piece, 0, expected, length, piece.length);
        length += piece.length;
        checksum.update(piece);
        assertEquals(length, out.getFilePointer());
        if (random.nextInt(50) == 0) {
          assertEquals(checksum.getValue(), out.getChecksum(), "checksum at " + length);
        }
      }
      assertEquals(checksum.getValue(), out.getChecksum());
    }
    return Arrays.copyOf(expected, length);
  }

  private static int pieceLength(Random random) {
    return switch (random.nextInt(6)) {
      case 0, 1, 2 -> 1;
      case 3 -> 4;
      case 4 -> 8;
      default -> random.nextInt(40) == 0 ? random.nextInt(20_000) : random.nextInt(60);
    };
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @EnumSource
  void bytesPositionsAndChecksumsAreRight(Kind kind) throws IOException {
    try (Directory plain = open(kind);
        Directory timed = new TimedDirectory(plain, new DirectoryTimer())) {
      byte[] expected = write(timed, "a", new Random(SEED));
      assertTrue(expected.length > 3 * TimedDirectory.BLOCK_BYTES);
      assertEquals(expected.length, plain.fileLength("a"));
      try (IndexInput in = plain.openInput("a", IOContext.DEFAULT)) {
        byte[] found = new byte[expected.length];
        in.readBytes(found, 0, found.length);
        assertArrayEquals(expected, found);
      }
      try (IndexOutput temporary = timed.createTempOutput("b", "c", IOContext.DEFAULT)) {
        temporary.writeByte((byte) 7);
        assertTrue(temporary.getName().startsWith("b_c"), temporary.getName());
      }
      for (IOContext context : CONTEXTS) {
        try (IndexInput in = timed.openInput("a", context)) {
          read(in, expected, new Random(SEED));
        }
      }
    }
  }

  private static void read(IndexInput in, byte[] expected, Random random) throws IOException {
    assertEquals(expected.length, in.length());
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(4) == 0) {
        in.seek(random.nextInt(expected.length));
      }
      int position = (int) in.getFilePointer();
      int left = expected.length - position;
      int length = Math.min(left, random.nextInt(30) == 0 ? random.nextInt(20_000) : 8);
      if (length < Long.BYTES) {
        in.seek(0);
        continue;
      }
      readOne(in, expected, position, length, random);
    }
    in.seek(expected.length);
    assertThrows(EOFException.class, in::readByte);
    assertViews(in, expected);
  }

  private static void readOne(
      IndexInput in, byte[] expected, int position, int length, Random random) throws IOException {
    byte[] wanted = Arrays.copyOfRange(expected, position, position + length);
    switch (random.nextInt(8)) {
      case 0 -> assertEquals(wanted[0], in.readByte());
      case 1 -> assertEquals(little(wanted).getShort(), in.readShort());
      case 2 -> assertEquals(little(wanted).getInt(), in.readInt());
      case 3 -> assertEquals(little(wanted).getLong(), in.readLong());
      case 4 -> {
        long[] found = new long[3];
        in.readLongs(found, 1, 1);
        assertEquals(little(wanted).getLong(), found[1]);
      }
      case 5 -> {
        int[] found = new int[3];
        in.readInts(found, 1, 2);
        assertEquals(little(wanted).getInt(), found[1]);
      }
      case 6 -> {
        float[] found = new float[2];
        in.readFloats(found, 1, 1);
        assertEquals(little(wanted).getInt(), Float.floatToRawIntBits(found[1]));
      }
      default -> {
        byte[] found = new byte[length + 2];
        in.readBytes(found, 1, length, random.nextBoolean());
        assertArrayEquals(wanted, Arrays.copyOfRange(found, 1, length + 1));
        assertEquals(position + length, in.getFilePointer());
      }
    }
  }

  private static void assertViews(IndexInput in, byte[] expected) throws IOException {
    int at = expected.length / 2;
    in.seek(at);
    IndexInput clone = in.clone();
    in.seek(0);
    assertEquals(at, clone.getFilePointer());
    assertEquals(expected[at], clone.readByte());
    assertEquals(expected[0], in.readByte());
    assertEquals(expected[at + 1], in.slice("s", at, 9).slice("t", 1, 3).readByte());
    assertEquals(expected[at + 1], in.slice("s", at + 1, 3, IOContext.DEFAULT).readByte());
    assertEquals(expected[at + 2], in.randomAccessSlice(at, 9).readByte(2));
  }

  @ParameterizedTest
  @EnumSource
  void clonesAndSlicesAreTheDirectorysOwn(Kind kind) throws IOException {
    try (Directory plain = open(kind);
        Directory timed = new TimedDirectory(plain, new DirectoryTimer())) {
      write(timed, "a", new Random(SEED));
      try (IndexInput own = plain.openInput("a", IOContext.DEFAULT);
          IndexInput in = timed.openInput("a", IOContext.DEFAULT)) {
        assertSame(own.clone().getClass(), in.clone().getClass());
        assertSame(own.slice("s", 1, 2).getClass(), in.slice("s", 1, 2).getClass());
        assertSame(own.randomAccessSlice(1, 2).getClass(), in.randomAccessSlice(1, 2).getClass());
        if (own instanceof MemorySegmentAccessInput) {
          assertInstanceOf(MemorySegmentAccessInput.class, in.clone());
          assertInstanceOf(MemorySegmentAccessInput.class, in.slice("s", 1, 2));
        }
        assertEquals(own.isLoaded(), in.isLoaded());
      }
    }
  }
}
