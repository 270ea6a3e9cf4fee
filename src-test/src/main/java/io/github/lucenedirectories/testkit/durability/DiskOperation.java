package io.github.lucenedirectories.testkit.durability;

/** What a {@link CrashingBacking} is asked to change, one step each. */
public enum DiskOperation {
  /** A file is created. */
  CREATE,
  /** Some bytes are appended to a file. */
  WRITE,
  /** A file that was written is closed. */
  CLOSE,
  /** One file is made durable. */
  SYNC,
  /** All names are made durable. */
  SYNC_META_DATA,
  /** A file gets another name. */
  RENAME,
  /** A file is deleted. */
  DELETE
}
