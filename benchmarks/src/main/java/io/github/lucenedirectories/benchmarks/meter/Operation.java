package io.github.lucenedirectories.benchmarks.meter;

import java.util.Locale;

/** What a directory is asked to do, as the meter tells it apart. */
public enum Operation {
  /** {@code createOutput}, {@code createTempOutput}. */
  CREATE,
  /** Blocks of bytes that reach an output. */
  WRITE,
  /** {@code close} of an output. */
  FINISH,
  /** {@code openInput}. */
  OPEN,
  /** Reads of an input that {@code openInput} gave, not of its clones and slices. */
  READ,
  /** {@code close} of such an input. */
  CLOSE,
  /** {@code deleteFile}. */
  DELETE,
  /** {@code rename}. */
  RENAME,
  /** {@code listAll}, {@code fileLength}, {@code getPendingDeletions}. */
  LOOK,
  /** {@code sync}, {@code syncMetaData}: the time of the disk, where there is one. */
  SYNC;

  /** The name in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
