package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Llpl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.BufferedChecksumIndexInput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;

/**
 * A file of as many gigabytes as {@code -Dtestkit.gigabytes=N} says, in one extent and in parts
 * over several pools. Takes as much room in the folder for temporary files, and as much again.
 */
public class LongPoolFileTest extends LibraryTestCase {

  private static final int PIECE_BYTES = 1 << 20;
  private static final long PIECES_PER_GIGABYTE = (1L << 30) / PIECE_BYTES;
  private static final long POOL_BYTES = 1L << 29;

  private long pieces;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    pieces = Long.getLong("testkit.gigabytes", 0) * PIECES_PER_GIGABYTE;
    assumeTrue("only with -Dtestkit.gigabytes=N", pieces > 0);
  }

  public void testInOneExtent() throws IOException {
    assertTrue(isWhole(pools(createTempDir()), "grows"));
  }

  /** There is too little room for a pool file as long as the file. */
  public void testInParts() throws IOException {
    long limit = pieces * PIECE_BYTES + 2 * POOL_BYTES;
    assertFalse(isWhole(pools(createTempDir()).maxBytes(limit), "parts"));
  }

  private static PmemDirectory.Builder pools(Path folder) {
    PmemDirectory.Builder builder =
        PmemDirectory.builder(folder).initialBytes(POOL_BYTES).poolFileBytes(POOL_BYTES);
    return Llpl.loads()
        ? builder.engine(PmemEngine.LLPL).mode(PmemMode.EMULATED)
        : builder.engine(PmemEngine.JDK).mode(PmemMode.FILE);
  }

  /** Writes a file, reads it after a second open, and says whether it lies in one extent. */
  private boolean isWhole(PmemDirectory.Builder builder, String name) throws IOException {
    byte[] piece = randomBytes(PIECE_BYTES);
    long checksum;
    try (PmemDirectory directory = builder.build()) {
      try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
        for (long i = 0; i < pieces; i++) {
          out.writeLong(i);
          out.writeBytes(piece, 0, PIECE_BYTES - Long.BYTES);
        }
        checksum = out.getChecksum();
      }
      directory.sync(List.of(name));
      assertTrue(directory.usage().poolFiles() > 1);
    }
    try (PmemDirectory directory = builder.build();
        IndexInput in = directory.openInput(name, IOContext.DEFAULT);
        ChecksumIndexInput sum = new BufferedChecksumIndexInput(in.clone())) {
      assertEquals(pieces * PIECE_BYTES, in.length());
      for (long i = pieces - 1; i >= 0; i--) {
        in.seek(i * PIECE_BYTES);
        assertEquals(i, in.readLong());
      }
      sum.skipBytes(in.length());
      assertEquals(checksum, sum.getChecksum());
      return ((MemorySegmentAccessInput) in).segmentSliceOrNull(0, in.length()) != null;
    }
  }
}
