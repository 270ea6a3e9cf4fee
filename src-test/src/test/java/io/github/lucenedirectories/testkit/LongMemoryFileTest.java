package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.BufferedChecksumIndexInput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;

/** A file in memory that outgrows the address space which is reserved for it at first, 1 GiB. */
public class LongMemoryFileTest extends LibraryTestCase {

  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES = 1_025;
  private static final long NEEDED_KIB = 4L << 20;

  public void testOutgrowsItsReservation() throws IOException {
    assumeTrue("only address space that is reserved can be outgrown", reserves());
    assumeTrue("too little memory", availableKib() >= NEEDED_KIB);
    byte[] piece = randomBytes(PIECE_BYTES);
    try (Directory directory = new RamDirectory()) {
      long checksum;
      try (IndexOutput out = directory.createOutput("long", IOContext.DEFAULT)) {
        for (int i = 0; i < PIECES; i++) {
          out.writeInt(i);
          out.writeBytes(piece, 0, PIECE_BYTES - Integer.BYTES);
        }
        checksum = out.getChecksum();
      }
      try (IndexInput in = directory.openInput("long", IOContext.DEFAULT);
          ChecksumIndexInput sum = new BufferedChecksumIndexInput(in.clone())) {
        assertEquals((long) PIECES * PIECE_BYTES, in.length());
        assertNotNull(((MemorySegmentAccessInput) in).segmentSliceOrNull(0, in.length()));
        for (int i = 0; i < PIECES; i++) {
          in.seek((long) i * PIECE_BYTES);
          assertEquals(i, in.readInt());
        }
        sum.skipBytes(in.length());
        assertEquals(checksum, sum.getChecksum());
      }
    }
  }

  private static boolean reserves() throws IOException {
    long before = PathCounter.NATIVE_MEMORY.count();
    try (Directory directory = new RamDirectory()) {
      write(directory, "file", new byte[PIECE_BYTES]);
    }
    return PathCounter.NATIVE_MEMORY.count() > before;
  }

  private static long availableKib() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
