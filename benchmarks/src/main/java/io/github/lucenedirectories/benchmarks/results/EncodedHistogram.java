package io.github.lucenedirectories.benchmarks.results;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** Histograms as text: HdrHistogram's compressed encoding in base64, which its tools read. */
public final class EncodedHistogram {
  /** Significant digits of the histograms that workloads record. */
  public static final int DIGITS = 3;

  private EncodedHistogram() {}

  /** The text of a histogram. */
  public static String encode(AbstractHistogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** The histogram of a text that {@link #encode} gave. */
  public static Histogram decode(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a histogram: " + e.getMessage(), e);
    }
  }
}
