package io.github.lucenedirectories.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shared arena that counts in {@link LiveResource}, with the bytes it holds, until it is closed.
 * All methods may be called from any thread.
 */
public final class CountedArena implements Arena {

  private final Arena arena = Arena.ofShared();
  private final LiveResource bytesKind;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean counted = new AtomicBoolean(true);
  private final Runnable whenClosed;

  /**
   * An arena without bytes yet.
   *
   * @param bytesKind what {@link #addBytes} counts as
   */
  public CountedArena(LiveResource bytesKind) {
    this(bytesKind, () -> {});
  }

  /**
   * An arena without bytes yet.
   *
   * @param whenClosed runs once nobody can reach the arena's memory any more
   */
  public CountedArena(LiveResource bytesKind, Runnable whenClosed) {
    this.bytesKind = bytesKind;
    this.whenClosed = whenClosed;
    LiveResource.ARENAS.add(1);
  }

  /**
   * The bytes of a segment of native memory, valid as long as this arena is open. The caller sees
   * to it that the memory stays as long.
   *
   * @throws IllegalCallerException where native access is denied
   */
  @SuppressWarnings("restricted") // the segment's own bounds
  public MemorySegment guard(MemorySegment bytes) {
    return MemorySegment.ofAddress(bytes.address()).reinterpret(bytes.byteSize(), this, null);
  }

  /** Counts bytes as held until this arena is closed. */
  public void addBytes(long added) {
    bytes.addAndGet(added);
    bytesKind.add(added);
  }

  /** How many bytes count as held. */
  long bytes() {
    return bytes.get();
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
      if (!arena.scope().isAlive() && counted.compareAndSet(true, false)) {
        LiveResource.ARENAS.add(-1);
        bytesKind.add(-bytes.get());
        whenClosed.run();
      }
    }
  }
}
