// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A shared arena that is counted in {@link LiveResource}, with its bytes, until it is closed. All
 * methods may be called from any thread.
 */
public final class CountedArena implements Arena {

  private final Arena arena = Arena.ofShared();
  private final Held held;
  private Cleaner.@Nullable Cleanable dropped;

  /** The counted state; does not refer to the arena. */
  private record Held(
      LiveResource bytesKind, AtomicLong bytes, AtomicBoolean counted, Runnable whenClosed) {
    boolean end() {
      if (!counted.compareAndSet(true, false)) {
        return false;
      }
      LiveResource.ARENAS.add(-1);
      bytesKind.add(-bytes.get());
      whenClosed.run();
      return true;
    }
  }

  /**
   * An arena without bytes yet.
   *
   * @param bytesKind the resource that {@link #addBytes} adds to
   * @param whenClosed runs once when the arena's memory is no longer reachable
   */
  public CountedArena(LiveResource bytesKind, Runnable whenClosed) {
    held = new Held(bytesKind, new AtomicLong(), new AtomicBoolean(true), whenClosed);
    LiveResource.ARENAS.add(1);
  }

  /**
   * Releases the memory of an arena that was never closed, once neither it nor any of its segments
   * is reachable.
   *
   * @param what names the memory in the log
   * @param release must not refer to the arena or to a segment; it replaces the arena's close
   */
  public void releaseIfDropped(String what, Runnable release) {
    Held ended = held;
    dropped =
        Dropped.watch(
            // Every segment refers to the scope, and keeps it reachable during an access.
            arena.scope(),
            what,
            () -> {
              boolean first = ended.end();
              if (first) {
                release.run();
              }
              return first;
            });
  }

  /**
   * The bytes of a segment of native memory, valid as long as this arena is open. The caller must
   * ensure that the memory lives as long.
   *
   * @throws IllegalCallerException where native access is denied
   */
  @SuppressWarnings("restricted") // the segment's own bounds
  public MemorySegment guard(MemorySegment bytes) {
    return MemorySegment.ofAddress(bytes.address()).reinterpret(bytes.byteSize(), this, null);
  }

  /** Counts bytes as held until this arena is closed. */
  public void addBytes(long added) {
    held.bytes.addAndGet(added);
    held.bytesKind.add(added);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    addBytes(byteSize);
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * Closes the arena.
   *
   * @throws IllegalStateException if it is closed already, or a native call uses it at this moment
   */
  @Override
  public void close() {
    try {
      arena.close();
    } finally {
      if (!arena.scope().isAlive() && held.end() && dropped != null) {
        dropped.clean();
      }
    }
  }
}
