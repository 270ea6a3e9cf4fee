package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory to create files in, and what to write into them.
 *
 * <p>Every file ends as Lucene's do, in a footer with a checksum, so that every directory computes
 * one.
 */
public class NewFiles extends DirectoryState {
  private static final int VALUES = 1 << 16;

  private final byte[] bytes = Block.randomBytes().bytes();
  private final int[] vInts = new int[VALUES];
  private final AtomicLong segments = new AtomicLong();

  @Override
  void prepare(Directory directory) {
    SplittableRandom random = new SplittableRandom(Block.SEED);
    Arrays.setAll(vInts, _ -> Block.skewed(random));
  }

  @Override
  void release() {}

  /** Writes a file of exactly that many bytes, a piece at a time, and returns its name. */
  String writeBytes(IOContext context, long fileBytes, int pieceBytes) throws IOException {
    String name = fresh();
    try (IndexOutput out = directory().createOutput(name, context)) {
      long left = fileBytes - CodecUtil.footerLength();
      while (left > 0) {
        int length = (int) Math.min(left, pieceBytes);
        out.writeBytes(bytes, length);
        left -= length;
      }
      CodecUtil.writeFooter(out);
    }
    return name;
  }

  /** Writes a file of at least that many bytes, a value at a time, and returns its name. */
  String writeVInts(IOContext context, long fileBytes) throws IOException {
    String name = fresh();
    try (IndexOutput out = directory().createOutput(name, context)) {
      while (out.getFilePointer() < fileBytes - CodecUtil.footerLength()) {
        for (int value : vInts) {
          out.writeVInt(value);
        }
      }
      CodecUtil.writeFooter(out);
    }
    return name;
  }

  private String fresh() {
    return "_" + Long.toString(segments.getAndIncrement(), Character.MAX_RADIX) + ".dat";
  }
}
