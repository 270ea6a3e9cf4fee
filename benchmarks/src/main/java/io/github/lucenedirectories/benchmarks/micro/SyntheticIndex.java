package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Files in numbers and lengths like those of an index: in each segment a few large, more small. */
final class SyntheticIndex {
  private static final long[] SEGMENT_FILE_BYTES = {
    64L << 20,
    16L << 20,
    4L << 20,
    1L << 20,
    256L << 10,
    64L << 10,
    16L << 10,
    4L << 10,
    1L << 10,
    300
  };
  private static final int PIECE_BYTES = 1 << 13;

  private SyntheticIndex() {}

  /** Writes files of about that many bytes in all, each with a checksum, and returns the names. */
  static List<String> write(Directory directory, long bytes) throws IOException {
    byte[] contents = Block.randomBytes().bytes();
    List<String> names = new ArrayList<>();
    long left = bytes;
    while (left > 0) {
      String segment = Integer.toString(names.size() / SEGMENT_FILE_BYTES.length, 36);
      int part = names.size() % SEGMENT_FILE_BYTES.length;
      long length = Math.min(left, SEGMENT_FILE_BYTES[part]);
      String name = "_" + segment + "_" + part + ".dat";
      write(directory, name, contents, length);
      names.add(name);
      left -= length;
    }
    return names;
  }

  private static void write(Directory directory, String name, byte[] contents, long length)
      throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (long left = length - CodecUtil.footerLength(); left > 0; left -= PIECE_BYTES) {
        out.writeBytes(contents, (int) Math.min(left, PIECE_BYTES));
      }
      CodecUtil.writeFooter(out);
    }
  }

  /** Opens a file that {@link #write} wrote, reads all of it and compares the checksum. */
  static IndexInput openChecked(Directory directory, String name) throws IOException {
    IndexInput in = directory.openInput(name, IOContext.DEFAULT);
    try {
      CodecUtil.checksumEntireFile(in);
      return in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }
}
