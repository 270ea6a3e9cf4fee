// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** The checksum at the end of a file, if a codec wrote it. */
final class Checksum {
  private static final int BUFFER_BYTES = 1 << 16;

  private Checksum() {}

  /**
   * Reads a whole file and verifies the checksum at its end.
   *
   * @return false if no codec wrote the file, so that it has no checksum
   * @throws CorruptIndexException if the checksum is wrong, the end is missing, or the memory that
   *     the bytes lie in cannot be read
   */
  static boolean isRight(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      if (isOfCodec(in)) {
        CodecUtil.checksumEntireFile(in);
        return true;
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      in.seek(0);
      for (long left = in.length(); left > 0; left -= buffer.length) {
        in.readBytes(buffer, 0, (int) Math.min(left, buffer.length));
      }
      return false;
    } catch (InternalError e) {
      // How HotSpot reports a fault: damaged media, or a file that was cut.
      throw new CorruptIndexException("cannot be read: " + e, name, e);
    }
  }

  /** One of the two ends may be damaged. */
  private static boolean isOfCodec(IndexInput in) throws IOException {
    long footerAt = in.length() - CodecUtil.footerLength();
    if (footerAt < 0) {
      return false;
    }
    in.seek(footerAt);
    boolean hasFooter = CodecUtil.readBEInt(in) == CodecUtil.FOOTER_MAGIC;
    in.seek(0);
    return hasFooter || CodecUtil.readBEInt(in) == CodecUtil.CODEC_MAGIC;
  }
}
