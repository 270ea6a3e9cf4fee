// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.Residency;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/**
 * The residency of one mapped file. It queries and advises the kernel where possible. It refers to
 * no segment, so that the file can be unmapped when its inputs were dropped.
 */
final class MappedResidency {

  private final Path path;
  private final @Nullable NativeCalls calls;
  private final @Nullable MemoryPressure pressure;
  private final @Nullable AccessMode pinned;
  private final MappingCount mappings;

  /** Whether the kernel tells this process which pages of the file are in memory. */
  private final boolean canObserve;

  /** The file, or files within it, by address. Guarded by this, as are the fields below. */
  private final TreeMap<Long, Part> parts = new TreeMap<>();

  /** Mappings of this file: its own, and those that advice for parts of it split off; 0 at last. */
  private long counted;

  /** Where the file is mapped a second time; 0 if it is not. */
  private long again;

  /** The length of that mapping: the file may have been replaced before. */
  private long againBytes;

  private boolean isClosed;

  /** Where the file is mapped; zeros before that. */
  private volatile long address;

  private volatile long bytes;

  private volatile FileKind kind = FileKind.OTHER;

  /** How many prefetches in a row found their range loaded. */
  private final AtomicInteger foundLoaded = new AtomicInteger();

  /** A range that the kernel is advised of, now or later. */
  private static final class Part {
    private final long bytes;
    private final FileKind kind;

    /** Whether the kernel is advised that reads are random. */
    private boolean random;

    Part(long bytes, FileKind kind) {
      this.bytes = bytes;
      this.kind = kind;
    }
  }

  /**
   * The residency of a file that will be mapped.
   *
   * @param pressure what the advice follows; null if the memory is not watched
   * @param pinned the mode in which the file is mapped whatever the level; null for none
   */
  MappedResidency(
      Path file,
      @Nullable NativeCalls calls,
      @Nullable MemoryPressure pressure,
      @Nullable AccessMode pinned,
      MappingCount mappings) {
    this.path = file;
    this.canObserve = Residency.canObserve(file);
    this.calls = calls;
    this.pressure = pressure;
    this.pinned = pinned;
    this.mappings = mappings;
    count(1);
  }

  private void count(long now) {
    mappings.add(now - counted);
    counted = now;
  }

  void mapped(MemorySegment all, String name, IOContext context) {
    address = all.address();
    bytes = all.byteSize();
    kind = FileKind.of(name, context);
    if (pressure != null) {
      pressure.add(this);
    }
    advise(all, name, context);
  }

  /** Call when the file's input is closed: its mapping is no longer advised. */
  void closed() {
    synchronized (this) {
      isClosed = true;
    }
    if (pressure != null) {
      pressure.remove(this);
    }
  }

  void unmapped() {
    closed();
    synchronized (this) {
      count(0);
    }
  }

  /** The file was mapped a second time, and may be unmapped already. */
  synchronized void mappedAgain(MemorySegment all) {
    if (counted > 0 && all.byteSize() > 0) {
      again = all.address();
      againBytes = all.byteSize();
      count(counted + 1);
    }
  }

  /** Unmaps the file when all its inputs were dropped. */
  synchronized void release(NativeCalls unmapping) {
    unmapping.release(address, bytes);
    if (again != 0) {
      unmapping.release(again, againBytes);
    }
  }

  long address() {
    return address;
  }

  Path path() {
    return path;
  }

  FileKind kind() {
    return kind;
  }

  long bytes() {
    return bytes;
  }

  void prefetch(MemorySegment range) {
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
    foundLoaded.lazySet(load(range) ? found + 1 : 0);
  }

  /** Starts to load a range unless it is known to be loaded; returns whether it is. */
  boolean load(MemorySegment range) {
    if (calls == null) {
      return false;
    }
    if (canObserve && calls.isResident(range).orElse(false)) {
      return true;
    }
    IoRecorder.prefetch(kind, range.byteSize());
    calls.advise(range, Advice.WILL_NEED);
    return false;
  }

  /** Whether the kernel is, or will be, advised that reads of such a file or part are random. */
  boolean isRandom(FileKind kind) {
    return calls != null
        && (pinned == null ? level().isRandom(kind) : pinned == AccessMode.MAPPED_RANDOM);
  }

  /** At the last check: a new one would advise files, which must not happen under a lock. */
  private Level level() {
    return pressure == null ? Level.UNKNOWN : pressure.lastState().level();
  }

  synchronized void advise(MemorySegment range, String name, IOContext context) {
    long start = range.address();
    FileKind kind = FileKind.of(name, context);
    // The advice of a pinned file is that of all of it.
    boolean isAdvised =
        pinned == null ? kind != FileKind.OTHER : start == address && range.byteSize() == bytes;
    if (range.byteSize() > 0 && !isClosed && isAdvised) {
      Part part = new Part(range.byteSize(), kind);
      // The second opening of a part changes nothing.
      if (parts.putIfAbsent(start, part) == null) {
        advise(start, part);
      }
    }
  }

  /** Renews the advice that has changed, which depends on the memory pressure. */
  synchronized void adviseAgain() {
    if (!isClosed) {
      parts.forEach(this::advise);
    }
  }

  private void advise(long start, Part part) {
    boolean random = isRandom(part.kind);
    if (calls != null && part.random != random) {
      part.random = random;
      calls.advise(start, part.bytes, random ? Advice.RANDOM : Advice.NORMAL);
      count((again == 0 ? 1 : 2) + splits());
    }
  }

  /**
   * How many mappings the advice for parts of the file splits off, at most: those before and behind
   * each. Ranges with the same advice share one mapping.
   */
  private long splits() {
    long splits = 0;
    for (var part : parts.entrySet()) {
      if (part.getValue().random) {
        long end = part.getKey() + part.getValue().bytes;
        splits += (part.getKey() > address ? 1 : 0) + (end < address + bytes ? 1 : 0);
      }
    }
    return splits;
  }

  Optional<Boolean> isLoaded(MemorySegment range) {
    if (!canObserve) {
      return Optional.empty();
    }
    return calls == null ? Optional.of(range.isLoaded()) : calls.isResident(range);
  }
}
