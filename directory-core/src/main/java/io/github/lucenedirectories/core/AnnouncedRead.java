package io.github.lucenedirectories.core;

import org.jspecify.annotations.Nullable;

/**
 * What a thread has announced last that it will read, and has neither read nor asked for yet.
 *
 * <p>Often a reader announces what it reads right after. To ask the system for it and then to wait
 * for it costs half as much again as the read alone. So the last range waits here: it comes with
 * the read that begins in it, as one call, and is asked for as soon as its thread announces or
 * reads anything else. A range that the thread never comes back from is not asked for.
 */
final class AnnouncedRead {

  /** A longer range is not held back: it comes with no single read. */
  static final int MOST_BYTES = TransferBlock.BLOCK_BYTES / 2;

  private static final ThreadLocal<AnnouncedRead> OF_THREAD =
      ThreadLocal.withInitial(AnnouncedRead::new);

  private @Nullable NativeFile file;
  private long start;
  private long end;

  private AnnouncedRead() {}

  /** That of the calling thread. */
  static AnnouncedRead ofThread() {
    return OF_THREAD.get();
  }

  /** Announces a range; asks for the one before. */
  void announce(NativeFile nextFile, long pos, long length) {
    askNow();
    file = nextFile;
    start = pos;
    end = pos + length;
  }

  /**
   * Call before a read. Returns how many bytes the system should be asked for at once, so that what
   * was announced comes too; asks for that if it lies elsewhere.
   */
  int beforeRead(NativeFile reader, long pos, int length) {
    if (file == null) {
      return length;
    }
    if (file == reader && pos < end && start < pos + length) {
      file = null;
      return (int) Math.max(length, Math.min(end - pos, TransferBlock.BLOCK_BYTES));
    }
    askNow();
    return length;
  }

  private void askNow() {
    NativeFile announced = file;
    if (announced != null) {
      file = null;
      announced.ask(start, end - start);
    }
  }
}
