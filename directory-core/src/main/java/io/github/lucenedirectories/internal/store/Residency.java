package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.IOContext;

/**
 * Reports and influences which bytes of a {@link SegmentIndexInput} are in physical memory.
 *
 * <p>One object serves an input, its clones and its slices, from any thread. The segments passed in
 * are ranges of the input's chunks.
 */
public interface Residency {

  /** Bytes that are always in memory: every hint is a no-op. */
  Residency RESIDENT =
      new Residency() {
        @Override
        public void prefetch(MemorySegment range) {}

        @Override
        public void advise(MemorySegment range, String name, IOContext context) {}

        @Override
        public Optional<Boolean> isLoaded(MemorySegment range) {
          return Optional.of(true);
        }
      };

  /** Starts to load the range, without waiting, unless it is likely loaded already. */
  void prefetch(MemorySegment range) throws IOException;

  /** Announces that the range holds a file opened with the given context. */
  void advise(MemorySegment range, String name, IOContext context) throws IOException;

  /** Whether the range is likely in physical memory; empty if that cannot be known. */
  Optional<Boolean> isLoaded(MemorySegment range);
}
