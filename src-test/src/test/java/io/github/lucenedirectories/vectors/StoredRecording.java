// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.store.PrefetchCapture;
import java.io.IOException;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Records which bytes of stored fields are read and prefetched; all segments are one sequence. */
final class StoredRecording extends FilterDirectory {

  /** The bytes of a file begin at a multiple of this. */
  private static final int FILE_BYTES = 1 << 23;

  final BitSet read = new BitSet();
  final BitSet prefetched = new BitSet();

  /** How many prefetches there were, and how many of them before the first read. */
  int prefetches;

  int beforeReads;

  /** Whether inputs say that they are in memory. */
  volatile boolean loaded;

  /** Whether nobody knows of the others. */
  volatile boolean unknown;

  /** As far as they begin before this offset of a file, they say so, too. */
  volatile int loadedBelow;

  /** Prefetches that begin behind this offset fail. */
  volatile long failsBehind = Long.MAX_VALUE;

  /** Whether inputs hand over what they should prefetch, as this library's do. */
  volatile boolean captured = true;

  private int files;

  StoredRecording(Directory in) {
    super(in);
  }

  synchronized void forget() {
    read.clear();
    prefetched.clear();
    prefetches = 0;
    beforeReads = 0;
  }

  /** Whether all that was read was prefetched. */
  synchronized boolean isReadPrefetched() {
    BitSet missing = (BitSet) read.clone();
    missing.andNot(prefetched);
    return missing.isEmpty();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    assertTrue(input.length() < FILE_BYTES);
    return name.matches(".*\\.(fdt|cfs)")
        ? new Input(input, files++ * FILE_BYTES, name.endsWith(".fdt"))
        : input;
  }

  private static void assertTrue(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }

  final class Input extends FilterIndexInput {
    final int start;
    private final boolean records;

    private Input(IndexInput in, int start, boolean records) {
      super("recorded", in);
      this.start = start;
      this.records = records;
    }

    private void read(long length) {
      synchronized (StoredRecording.this) {
        int at = Math.toIntExact(start + getFilePointer());
        if (records) {
          read.set(at, Math.toIntExact(at + length));
        }
      }
    }

    @Override
    public byte readByte() throws IOException {
      read(1);
      return in.readByte();
    }

    @Override
    public void readBytes(byte[] b, int offset, int len) throws IOException {
      read(len);
      in.readBytes(b, offset, len);
    }

    @Override
    public void prefetch(long offset, long length) {
      Objects.checkFromIndexSize(offset, length, in.length());
      if (offset > failsBehind) {
        throw new IllegalStateException("of the test");
      }
      if (records && !(captured && PrefetchCapture.takes(this, offset, length))) {
        synchronized (StoredRecording.this) {
          int at = Math.toIntExact(start + offset);
          prefetched.set(at, Math.toIntExact(at + length));
          prefetches++;
          beforeReads += read.isEmpty() ? 1 : 0;
        }
      }
    }

    @Override
    public Optional<Boolean> isLoaded() {
      boolean isLoaded = loaded || start % FILE_BYTES < loadedBelow;
      return unknown && !isLoaded ? Optional.empty() : Optional.of(isLoaded);
    }

    @Override
    public Input clone() {
      return new Input(in.clone(), start, records);
    }

    @Override
    public Input slice(String description, long offset, long length) throws IOException {
      return new Input(
          in.slice(description, offset, length),
          Math.toIntExact(start + offset),
          records || description.endsWith(".fdt"));
    }
  }
}
