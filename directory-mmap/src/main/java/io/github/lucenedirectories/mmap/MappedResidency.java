package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.NativeCalls;
import io.github.lucenedirectories.core.NativeCalls.Advice;
import io.github.lucenedirectories.core.Residency;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Constants;
import org.jspecify.annotations.Nullable;

/**
 * The residency of one mapped file, asked and advised through the kernel where that is possible.
 */
final class MappedResidency implements Residency {

  private static final Path SELF = Path.of("/proc/self");
  private static final String USER = "unix:uid";
  private static final Integer ROOT = 0;

  private final @Nullable NativeCalls calls;
  private final Advisor advisor;
  private final MappingCount mappings;

  /** Whether the kernel tells this process what of the file is in memory. */
  private final boolean isTold;

  /** Mappings of this file: its own, and those that advice for parts of it split off. */
  private long counted;

  private boolean isUnmapped;

  /** How many prefetches in a row found their range loaded. */
  private final AtomicInteger foundLoaded = new AtomicInteger();

  /** What was said of ranges, since anything else than the kernel's default was. */
  private final Map<Range, Announced> announced = new LinkedHashMap<>();

  private record Range(long address, long bytes) {}

  private record Announced(MemorySegment range, IOContext context) {}

  /** The residency of a file that is about to be mapped. */
  MappedResidency(Path file, @Nullable NativeCalls calls, Advisor advisor, MappingCount mappings) {
    this.isTold = tellsResidency(file);
    this.calls = calls;
    this.advisor = advisor;
    this.mappings = mappings;
    count(1);
  }

  private void count(long more) {
    counted += more;
    mappings.add(more);
  }

  /** The file is no longer mapped. */
  synchronized void unmapped() {
    isUnmapped = true;
    mappings.add(-counted);
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
    if (isTold && calls.isResident(range).orElse(false)) {
      foundLoaded.lazySet(found + 1);
    } else {
      foundLoaded.lazySet(0);
      calls.advise(range, Advice.WILL_NEED);
    }
  }

  @Override
  public synchronized void advise(MemorySegment range, IOContext context) {
    if (calls == null || range.byteSize() == 0 || isUnmapped) {
      return;
    }
    Advice advice = advisor.adviceFor(context);
    boolean usual = advice == Advice.NORMAL && !context.hints().contains(DataAccessHint.RANDOM);
    if (usual && announced.isEmpty()) {
      return;
    }
    Range key = new Range(range.address(), range.byteSize());
    if (announced.put(key, new Announced(range, context)) == null) {
      // At most: what lies before the range, and behind it, is a mapping of its own now.
      count(2);
    }
    calls.advise(range, advice);
  }

  /**
   * Passes all advice again, which depends on what memory there is; under the lock, so that it does
   * not undo advice that comes meanwhile.
   */
  synchronized void adviseAgain() {
    for (Announced known : List.copyOf(announced.values())) {
      try {
        advise(known.range, known.context);
      } catch (IllegalStateException _) {
        // The file was closed meanwhile.
        return;
      }
    }
  }

  @Override
  public Optional<Boolean> isLoaded(MemorySegment range) {
    if (!isTold) {
      return Optional.empty();
    }
    return calls == null ? Optional.of(range.isLoaded()) : calls.isResident(range);
  }

  /**
   * Whether this process is told what of a mapped file is in memory. To who neither owns the file
   * nor may write it Linux says, since 5.2, that all of it is: what others read is none of his
   * business.
   */
  private static boolean tellsResidency(Path file) {
    if (!Constants.LINUX || Files.isWritable(file)) {
      return true;
    }
    try {
      Object user = Files.getAttribute(SELF, USER);
      return user.equals(ROOT) || user.equals(Files.getAttribute(file, USER));
    } catch (IOException | RuntimeException _) {
      // Not known here: the system is believed.
      return true;
    }
  }
}
