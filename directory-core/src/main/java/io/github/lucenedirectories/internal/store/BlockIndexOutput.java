// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * An output that buffers small writes in a block on the heap and computes the CRC-32 of all bytes.
 *
 * <p>Like every {@code IndexOutput} it serves one thread at a time. A failed write or close loses
 * the file that was being written and nothing else; the owner deletes it.
 */
public abstract class BlockIndexOutput extends IndexOutput {

  private static final int BLOCK_BYTES = 1 << 14;

  private final CRC32 checksum = new CRC32();
  private byte[] block = new byte[BLOCK_BYTES];
  private int used;

  /** Bytes of {@link #block} that the checksum covers. */
  private int summed;

  /** Bytes handed to {@link #write} so far. */
  private long written;

  private boolean closed;
  private @Nullable Throwable failure;

  protected BlockIndexOutput(String description, String name) {
    super(description, name);
  }

  /** Writes the next bytes of the file. The caller reuses the array afterwards. */
  protected abstract void write(byte[] bytes, int offset, int length) throws IOException;

  /**
   * Completes the file with its last bytes and frees the output's resources, even if it throws.
   * Called once.
   */
  protected abstract void finish(byte[] bytes, int length) throws IOException;

  /** Frees the output's resources if bytes are missing. Called instead of {@link #finish}. */
  protected abstract void abandon() throws IOException;

  @Override
  public final void writeByte(byte b) throws IOException {
    if (used == block.length) {
      flush();
    }
    block[used++] = b;
  }

  @Override
  public final void writeShort(short v) throws IOException {
    makeRoom(Short.BYTES);
    BitUtil.VH_LE_SHORT.set(block, used, v);
    used += Short.BYTES;
  }

  @Override
  public final void writeInt(int v) throws IOException {
    makeRoom(Integer.BYTES);
    BitUtil.VH_LE_INT.set(block, used, v);
    used += Integer.BYTES;
  }

  @Override
  public final void writeLong(long v) throws IOException {
    makeRoom(Long.BYTES);
    BitUtil.VH_LE_LONG.set(block, used, v);
    used += Long.BYTES;
  }

  private void makeRoom(int bytes) throws IOException {
    if (bytes > block.length - used) {
      flush();
    }
  }

  @Override
  public final void writeBytes(byte[] b, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, b.length);
    if (length > block.length - used) {
      flush();
      if (length >= block.length) {
        checksum.update(b, offset, length);
        pass(b, offset, length);
        return;
      }
    }
    System.arraycopy(b, offset, block, used, length);
    used += length;
  }

  private void flush() throws IOException {
    ensureOpen();
    if (failure != null) {
      throw new IOException("an earlier write failed: " + this, failure);
    }
    sum();
    int n = used;
    used = 0;
    summed = 0;
    pass(block, 0, n);
  }

  private void sum() {
    checksum.update(block, summed, used - summed);
    summed = used;
  }

  private void pass(byte[] bytes, int offset, int length) throws IOException {
    try {
      write(bytes, offset, length);
    } catch (Throwable t) {
      // Bytes are missing now: the file must never look complete.
      failure = t;
      throw t;
    }
    written += length;
  }

  @Override
  public final long getFilePointer() {
    return written + used;
  }

  @Override
  public final long getChecksum() throws IOException {
    ensureOpen();
    sum();
    return checksum.getValue();
  }

  @Override
  public final void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    byte[] last = block;
    int n = used;
    // No room: every later write calls flush, which throws.
    block = new byte[0];
    used = 0;
    written += n;
    if (failure != null) {
      abandon();
      throw new IOException("not complete, an earlier write failed: " + this, failure);
    }
    finish(last, n);
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }
}
