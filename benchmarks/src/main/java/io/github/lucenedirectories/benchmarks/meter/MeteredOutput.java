package io.github.lucenedirectories.benchmarks.meter;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;

/**
 * Hands blocks of bytes on to an output and measures how long it takes for them. Lucene's output
 * over a stream, which gathers the blocks, counts the position and the checksum itself.
 */
final class MeteredOutput extends OutputStream {
  /** The most bytes that are gathered; a larger write goes through as it is. */
  static final int BLOCK_BYTES = 8 * 1024;

  private final IndexOutput out;
  private final Meter meter;

  private MeteredOutput(IndexOutput out, Meter meter) {
    this.out = out;
    this.meter = meter;
  }

  /** An output with the same name whose bytes go to another one. */
  static IndexOutput of(IndexOutput out, Meter meter) {
    return new OutputStreamIndexOutput(
        out.toString(), out.getName(), new MeteredOutput(out, meter), BLOCK_BYTES);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    long start = System.nanoTime();
    try {
      out.writeBytes(bytes, offset, length);
    } finally {
      meter.addSince(start, Operation.WRITE);
    }
  }

  @Override
  public void close() throws IOException {
    meter.run(Operation.FINISH, out::close);
  }
}
