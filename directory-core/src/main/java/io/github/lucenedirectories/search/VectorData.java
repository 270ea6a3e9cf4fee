package io.github.lucenedirectories.search;

import io.github.lucenedirectories.internal.os.NativeCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/** Prefetches vectors by their ordinals. One thread at a time may use it. */
final class VectorData {

  /** The most ranges of one call: the system takes 1,024. */
  private static final int MOST_RANGES = 256;

  private static final @Nullable NativeCalls CALLS = NativeCalls.get().orElse(null);

  private final IndexInput slice;
  private final long vectorBytes;

  /** The address of the first vector; 0 if the vectors are not mapped, or in several segments. */
  private final long address;

  private final long[] ranges = new long[2 * MOST_RANGES];

  private VectorData(IndexInput slice, long vectorBytes, long address) {
    this.slice = slice;
    this.vectorBytes = vectorBytes;
    this.address = address;
  }

  /** Returns null if it is not known where the vectors lie. */
  static @Nullable VectorData of(KnnVectorValues values) throws IOException {
    if (values.size() == 0 || !(values instanceof HasIndexSlice inSlice)) {
      return null;
    }
    IndexInput slice = inSlice.getSlice();
    MemorySegment mapped =
        CALLS != null && slice instanceof MemorySegmentAccessInput memory
            ? memory.segmentSliceOrNull(0, slice.length())
            : null;
    return new VectorData(
        slice, slice.length() / values.size(), mapped == null ? 0 : mapped.address());
  }

  /** Starts to load the first {@code count} vectors of {@code ords}, without waiting. */
  void prefetch(int[] ords, int count) throws IOException {
    if (address == 0 || CALLS == null) {
      for (int i = 0; i < count; i++) {
        slice.prefetch(ords[i] * vectorBytes, vectorBytes);
      }
      return;
    }
    for (int done = 0; done < count; done += MOST_RANGES) {
      int n = Math.min(MOST_RANGES, count - done);
      for (int i = 0; i < n; i++) {
        ranges[2 * i] = address + ords[done + i] * vectorBytes;
        ranges[2 * i + 1] = vectorBytes;
      }
      CALLS.willNeed(ranges, n);
    }
  }
}
