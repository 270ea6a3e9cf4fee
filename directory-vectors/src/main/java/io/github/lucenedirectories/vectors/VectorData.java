// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/** Prefetches vectors by their ordinals. One thread at a time may use it. */
final class VectorData {

  private static final long AROUND_BYTES = 1 << 16;

  private static final @Nullable NativeCalls CALLS = NativeCalls.get().orElse(null);

  private final IndexInput slice;
  private final long vectorBytes;

  /** The address of the first vector; 0 if the vectors are not mapped, or in several segments. */
  private final long address;

  /** Ranges of this length are loaded around vectors; 0 to load the vectors alone. */
  private final long around;

  private VectorData(IndexInput slice, long vectorBytes, long address, long around) {
    this.slice = slice;
    this.vectorBytes = vectorBytes;
    this.address = address;
    this.around = around;
  }

  /**
   * Returns null if the place of the vectors is unknown.
   *
   * @param fit whether all vectors fit in memory. If so, the bytes around a mapped vector are
   *     loaded with it, so that fewer reads load everything; if not, they would evict other
   *     vectors.
   */
  static @Nullable VectorData of(KnnVectorValues values, boolean fit) throws IOException {
    if (values.size() == 0 || !(values instanceof HasIndexSlice inSlice)) {
      return null;
    }
    IndexInput slice = inSlice.getSlice();
    MemorySegment mapped =
        CALLS != null && slice instanceof MemorySegmentAccessInput memory
            ? memory.segmentSliceOrNull(0, slice.length())
            : null;
    return new VectorData(
        slice,
        slice.length() / values.size(),
        mapped == null ? 0 : mapped.address(),
        fit ? AROUND_BYTES : 0);
  }

  /** Starts to load the first {@code count} vectors of {@code ords}, without waiting. */
  void prefetch(int[] ords, int count) throws IOException {
    if (address == 0 || CALLS == null) {
      for (int i = 0; i < count; i++) {
        slice.prefetch(ords[i] * vectorBytes, vectorBytes);
      }
      return;
    }
    // The last range: vectors near each other share it.
    long begin = 0;
    long end = 0;
    for (int i = 0; i < count; i++) {
      long from = ords[i] * vectorBytes;
      long to = from + vectorBytes;
      if (around > 0) {
        from -= from % around;
        to = Math.min(Math.ceilDiv(to, around) * around, slice.length());
      }
      if (from < begin || to != end) {
        CALLS.advise(address + from, to - from, Advice.WILL_NEED);
        IoRecorder.prefetch(FileKind.VECTORS, to - from);
        begin = from;
        end = to;
      }
    }
  }
}
