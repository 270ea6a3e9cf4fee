package io.github.lucenedirectories.benchmarks.meter;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * An input as a directory opened it, with the time of its reads and of its close measured. Lucene
 * reads no more than headers and footers from such an input itself, so each read is measured by
 * itself; all else is read from clones and slices, and these are those of the input behind it.
 *
 * <p>It is no {@code MemorySegmentAccessInput} where that one is: the interface wants clones of the
 * wrapper's own class, and Lucene asks clones and slices alone for their memory.
 */
final class MeteredInput extends IndexInput {
  private final IndexInput in;
  private final Meter meter;

  MeteredInput(IndexInput in, Meter meter) {
    super(in.toString());
    this.in = in;
    this.meter = meter;
  }

  @Override
  public IndexInput clone() {
    return in.clone();
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
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    meter.run(Operation.READ, () -> in.prefetch(offset, length));
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
  public long getFilePointer() {
    return in.getFilePointer();
  }

  @Override
  public void seek(long position) throws IOException {
    in.seek(position);
  }

  @Override
  public void skipBytes(long count) throws IOException {
    in.skipBytes(count);
  }

  @Override
  public byte readByte() throws IOException {
    return meter.get(Operation.READ, in::readByte);
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    meter.run(Operation.READ, () -> in.readBytes(bytes, offset, length));
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length, boolean useBuffer)
      throws IOException {
    meter.run(Operation.READ, () -> in.readBytes(bytes, offset, length, useBuffer));
  }

  @Override
  public short readShort() throws IOException {
    return meter.get(Operation.READ, in::readShort);
  }

  @Override
  public int readInt() throws IOException {
    return meter.get(Operation.READ, in::readInt);
  }

  @Override
  public long readLong() throws IOException {
    return meter.get(Operation.READ, in::readLong);
  }

  @Override
  public int readVInt() throws IOException {
    return meter.get(Operation.READ, in::readVInt);
  }

  @Override
  public long readVLong() throws IOException {
    return meter.get(Operation.READ, in::readVLong);
  }

  @Override
  public void readInts(int[] target, int offset, int length) throws IOException {
    meter.run(Operation.READ, () -> in.readInts(target, offset, length));
  }

  @Override
  public void readLongs(long[] target, int offset, int length) throws IOException {
    meter.run(Operation.READ, () -> in.readLongs(target, offset, length));
  }

  @Override
  public void readFloats(float[] target, int offset, int length) throws IOException {
    meter.run(Operation.READ, () -> in.readFloats(target, offset, length));
  }

  @Override
  @Deprecated
  @SuppressWarnings("deprecation")
  public void readGroupVInt(int[] target, int offset) throws IOException {
    meter.run(Operation.READ, () -> in.readGroupVInt(target, offset));
  }

  @Override
  public void close() throws IOException {
    meter.run(Operation.CLOSE, in::close);
  }
}
