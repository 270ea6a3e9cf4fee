package io.github.lucenedirectories.core;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What threads have announced last that they will read, and have neither read nor asked for yet.
 *
 * <p>Often a reader announces what it reads right after. To ask the system for it and then to wait
 * for it costs half as much again as the read alone. So the last range of a thread waits here: it
 * comes with the read that begins in it, as one call, and is asked for as soon as its thread
 * announces or reads anything else. A range that the thread never comes back from is not asked for.
 *
 * <p>Any thread may call any method.
 */
final class AnnouncedReads {

  /** A longer range is not held back: it comes with no single read. */
  static final int MOST_BYTES = TransferBlock.BLOCK_BYTES / 2;

  /** Threads share a slot; a range whose slot another one takes is asked for at once. */
  private static final int SLOTS = 64;

  private static final AtomicReferenceArray<@Nullable Range> LAST =
      new AtomicReferenceArray<>(SLOTS);

  private AnnouncedReads() {}

  private record Range(long thread, NativeFile file, long start, long end) {
    void ask() {
      file.ask(start, end - start);
    }
  }

  private static int slotOf(long thread) {
    return (int) thread & (SLOTS - 1);
  }

  /** Announces a range of a file; the last one of this thread is asked for now. */
  static void announce(NativeFile file, long pos, long length) {
    long thread = Thread.currentThread().threadId();
    Range before = LAST.getAndSet(slotOf(thread), new Range(thread, file, pos, pos + length));
    if (before != null) {
      before.ask();
    }
  }

  /**
   * Call before a read. Returns how many bytes the system should be asked for at once, so that what
   * was announced comes too; asks for that if it lies elsewhere.
   */
  static int beforeRead(NativeFile reader, long pos, int length) {
    long thread = Thread.currentThread().threadId();
    int slot = slotOf(thread);
    // What this thread has put there it sees without a barrier.
    Range range = LAST.getPlain(slot);
    if (range == null || range.thread != thread || !LAST.compareAndSet(slot, range, null)) {
      return length;
    }
    if (range.file == reader && pos < range.end && range.start < pos + length) {
      return (int) Math.max(length, Math.min(range.end - pos, TransferBlock.BLOCK_BYTES));
    }
    range.ask();
    return length;
  }
}
