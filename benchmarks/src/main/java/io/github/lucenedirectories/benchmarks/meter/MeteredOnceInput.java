package io.github.lucenedirectories.benchmarks.meter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * An input that is read once, from its beginning to its end, with the time of its reads and of its
 * close measured. Metadata is read from such inputs by single bytes and numbers: these come from
 * blocks of {@value MeteredOutput#BLOCK_BYTES} bytes, and it is the blocks that are measured.
 */
final class MeteredOnceInput extends BufferedIndexInput {
  private final Meter meter;
  private IndexInput in;

  MeteredOnceInput(IndexInput in, Meter meter) {
    super(in.toString(), MeteredOutput.BLOCK_BYTES);
    this.in = in;
    this.meter = meter;
  }

  @Override
  protected void readInternal(ByteBuffer target) throws IOException {
    long position = getFilePointer();
    int length = target.remaining();
    meter.run(
        Operation.READ,
        () -> {
          if (in.getFilePointer() != position) {
            in.seek(position);
          }
          in.readBytes(target.array(), target.arrayOffset() + target.position(), length);
        });
    target.position(target.position() + length);
  }

  @Override
  protected void seekInternal(long position) throws IOException {
    in.seek(position);
  }

  @Override
  public MeteredOnceInput clone() {
    MeteredOnceInput clone = (MeteredOnceInput) super.clone();
    clone.in = in.clone();
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) throws IOException {
    return in.slice(description, offset, length);
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context)
      throws IOException {
    return in.slice(description, offset, length, context);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    in.prefetch(offset, length);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    in.updateIOContext(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }

  @Override
  public long length() {
    return in.length();
  }

  @Override
  public void close() throws IOException {
    meter.run(Operation.CLOSE, in::close);
  }
}
