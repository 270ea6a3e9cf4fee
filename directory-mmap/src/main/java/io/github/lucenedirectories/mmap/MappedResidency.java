// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.Residency;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/**
 * The residency of one mapped file. It queries and advises the kernel where possible. It refers to
 * no segment, so that the file can be unmapped when its inputs were dropped.
 */
final class MappedResidency implements Residency {

  private final Path path;
  private final @Nullable NativeCalls calls;
  private final Advisor advisor;
  private final MappingCount mappings;

  /** Whether the kernel tells this process which pages of the file are in memory. */
  private final boolean canObserve;

  /** Ranges to advise: the mapping or files within it. Guarded by this, as are the fields below. */
  private final Map<Range, FileKind> files = new LinkedHashMap<>();

  /** Those for which the kernel is advised that reads are random. */
  private final Set<Range> random = new HashSet<>();

  /** The mapping; null before it is made. */
  private volatile @Nullable Range all;

  private volatile FileKind kind = FileKind.OTHER;

  /** Mappings of this file: its own, and those that advice for parts of it split off. */
  private long counted;

  private boolean isClosed;

  /** How many prefetches in a row found their range loaded. */
  private final AtomicInteger foundLoaded = new AtomicInteger();

  private record Range(long address, long bytes) {
    static Range of(MemorySegment segment) {
      return new Range(segment.address(), segment.byteSize());
    }

    long end() {
      return address + bytes;
    }
  }

  MappedResidency(Path file, @Nullable NativeCalls calls, Advisor advisor, MappingCount mappings) {
    this.path = file;
    this.canObserve = Residency.canObserve(file);
    this.calls = calls;
    this.advisor = advisor;
    this.mappings = mappings;
    count(1);
  }

  private void count(long now) {
    mappings.add(now - counted);
    counted = now;
  }

  void mapped(MemorySegment bytes, String name, IOContext context) {
    all = Range.of(bytes);
    kind = FileKind.of(name, context);
    advisor.add(this);
    advise(bytes, name, context);
  }

  /** Call when the file's input is closed: its mapping is no longer advised. */
  void closed() {
    synchronized (this) {
      isClosed = true;
    }
    advisor.remove(this);
  }

  void unmapped() {
    closed();
    synchronized (this) {
      count(0);
    }
  }

  Path path() {
    return path;
  }

  FileKind kind() {
    return kind;
  }

  long bytes() {
    Range mapped = all;
    return mapped == null ? 0 : mapped.bytes;
  }

  @Override
  public void prefetch(MemorySegment range) {
    if (calls == null) {
      return;
    }
    // While a file is found loaded, asking costs more than it gains: ask at powers of two up to
    // 1,024, and then at every 1,024th time, since the file may be evicted meanwhile.
    int found = foundLoaded.get();
    if ((found & (found - 1)) != 0 && found % 1024 != 0) {
      foundLoaded.lazySet(found + 1);
      return;
    }
    if (canObserve && calls.isResident(range).orElse(false)) {
      foundLoaded.lazySet(found + 1);
    } else {
      foundLoaded.lazySet(0);
      IoRecorder.prefetch(kind, range.byteSize());
      calls.advise(range, Advice.WILL_NEED);
    }
  }

  @Override
  public boolean needsReadAhead() {
    return calls != null && (advisor.isRandom(kind) || advisor.isRandom(FileKind.POSTINGS));
  }

  @Override
  public synchronized void advise(MemorySegment range, String name, IOContext context) {
    if (range.byteSize() > 0 && !isClosed) {
      FileKind kind = FileKind.of(name, context);
      Range file = Range.of(range);
      // A range to advise, now or later; the second opening of a part changes nothing.
      if ((Advisor.Random.MOST.includes(kind) || advisor.isRandom(kind))
          && files.putIfAbsent(file, kind) == null) {
        advise(file, kind);
      }
    }
  }

  /** Renews the advice that has changed, which depends on the memory pressure. */
  synchronized void adviseAgain() {
    if (!isClosed) {
      files.forEach(this::advise);
    }
  }

  private void advise(Range file, FileKind kind) {
    boolean isRandom = advisor.isRandom(kind);
    if (calls != null && (isRandom ? !isWhole() && random.add(file) : random.remove(file))) {
      long before = file.address & (calls.pageBytes() - 1);
      calls.advise(
          file.address - before, file.bytes + before, isRandom ? Advice.RANDOM : Advice.NORMAL);
      // Ranges with the same advice share one mapping.
      count(isWhole() ? 1 : 1 + random.stream().mapToInt(this::splits).sum());
    }
  }

  private boolean isWhole() {
    return all != null && random.contains(all);
  }

  /** How many mappings the advice for a file splits off: those before and behind it, at most. */
  private int splits(Range range) {
    return all == null
        ? 0
        : (range.address > all.address ? 1 : 0) + (range.end() < all.end() ? 1 : 0);
  }

  @Override
  public Optional<Boolean> isLoaded(MemorySegment range) {
    if (!canObserve) {
      return Optional.empty();
    }
    return calls == null ? Optional.of(range.isLoaded()) : calls.isResident(range);
  }
}
