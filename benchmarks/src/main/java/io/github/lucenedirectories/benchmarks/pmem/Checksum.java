package io.github.lucenedirectories.benchmarks.pmem;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** The checksum at the end of a file that a Lucene codec wrote. */
final class Checksum {
  private static final int BUFFER_BYTES = 1 << 16;

  private Checksum() {}

  /**
   * Reads a whole file and verifies its checksum.
   *
   * @return false if the file has none: no codec wrote it
   * @throws CorruptIndexException if the checksum is wrong, the end is missing, or the memory that
   *     the bytes lie in cannot be read
   */
  static boolean verify(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      if (hasChecksum(in)) {
        CodecUtil.checksumEntireFile(in);
        return true;
      }
      readAll(in);
      return false;
    } catch (InternalError e) {
      // What HotSpot makes of a fault: damaged media, or a file that was cut.
      throw new CorruptIndexException("cannot be read: " + e, name, e);
    }
  }

  /** Whether either end says that a codec wrote it: one of the two may be damaged. */
  private static boolean hasChecksum(IndexInput in) throws IOException {
    long footerAt = in.length() - CodecUtil.footerLength();
    if (footerAt < 0) {
      return false;
    }
    in.seek(footerAt);
    boolean footer = CodecUtil.readBEInt(in) == CodecUtil.FOOTER_MAGIC;
    in.seek(0);
    boolean header = CodecUtil.readBEInt(in) == CodecUtil.CODEC_MAGIC;
    return footer || header;
  }

  private static void readAll(IndexInput in) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    in.seek(0);
    for (long left = in.length(); left > 0; ) {
      int n = (int) Math.min(left, buffer.length);
      in.readBytes(buffer, 0, n);
      left -= n;
    }
  }
}
