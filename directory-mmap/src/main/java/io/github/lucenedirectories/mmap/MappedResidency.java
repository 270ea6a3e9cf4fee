package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.NativeCalls;
import io.github.lucenedirectories.core.NativeCalls.Advice;
import io.github.lucenedirectories.core.Residency;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/**
 * The residency of one mapped file, asked and advised through the kernel where that is possible.
 */
final class MappedResidency implements Residency {

  private final @Nullable NativeCalls calls;

  /** How many prefetches in a row found their range loaded. */
  private final AtomicInteger foundLoaded = new AtomicInteger();

  /** Whether the mapping may have other advice than the kernel's default. */
  private volatile boolean advised;

  MappedResidency(@Nullable NativeCalls calls) {
    this.calls = calls;
  }

  @Override
  public void prefetch(MemorySegment range) {
    if (calls == null) {
      return;
    }
    // While a file is found loaded, asking costs more than it gains: ask at every power of two
    // only.
    int found = foundLoaded.get();
    if ((found & (found - 1)) != 0) {
      foundLoaded.lazySet(found + 1);
      return;
    }
    if (calls.isResident(range).orElse(false)) {
      foundLoaded.lazySet(found + 1);
    } else {
      foundLoaded.lazySet(0);
      calls.advise(range, Advice.WILL_NEED);
    }
  }

  @Override
  public void advise(MemorySegment range, IOContext context) {
    Advice advice = adviceFor(context);
    if (calls == null || (advice == Advice.NORMAL && !advised)) {
      return;
    }
    advised = true;
    calls.advise(range, advice);
  }

  private static Advice adviceFor(IOContext context) {
    if (context.context() == IOContext.Context.MERGE
        || context.hints().contains(DataAccessHint.SEQUENTIAL)) {
      return Advice.SEQUENTIAL;
    }
    return context.hints().contains(DataAccessHint.RANDOM) ? Advice.RANDOM : Advice.NORMAL;
  }

  @Override
  public Optional<Boolean> isLoaded(MemorySegment range) {
    return calls == null ? Optional.of(range.isLoaded()) : calls.isResident(range);
  }
}
