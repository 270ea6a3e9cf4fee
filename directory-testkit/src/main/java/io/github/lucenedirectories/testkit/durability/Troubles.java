// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says what goes wrong on a {@link CrashingBacking}. Asked by one thread at a time. */
@FunctionalInterface
public interface Troubles {

  /** A disk that works. */
  Troubles NONE = (operation, name, bytes) -> Trouble.NONE;

  /**
   * What happens at an operation.
   *
   * @param name the file, or an empty string where the operation has none
   * @param bytes how many bytes are written; 0 for the other operations
   */
  Trouble at(Operation operation, String name, int bytes);

  /**
   * Troubles of every kind but a power cut, at one in so many operations; all follow from a seed.
   */
  static Troubles random(long seed, int oneIn) {
    Random random = new Random(seed);
    List<Trouble> kinds =
        List.of(Trouble.ERROR, Trouble.SHORT_WRITE, Trouble.LOST_PAGES, Trouble.DONE);
    return (operation, name, bytes) ->
        random.nextInt(oneIn) == 0 ? kinds.get(random.nextInt(kinds.size())) : Trouble.NONE;
  }

  /** One trouble, at the next operation; all others go well. */
  static Troubles once(Trouble trouble) {
    AtomicBoolean met = new AtomicBoolean();
    return (operation, name, bytes) -> met.getAndSet(true) ? Trouble.NONE : trouble;
  }

  /** What a disk is asked to change, one step each. */
  enum Operation {
    CREATE,
    /** Some bytes are appended to a file. */
    WRITE,
    /** A file that was written is closed. */
    CLOSE,
    /** One file is made durable. */
    SYNC,
    /** All names are made durable. */
    SYNC_META_DATA,
    RENAME,
    DELETE
  }

  /** A kind of trouble. */
  enum Trouble {
    /** The operation does what it should. */
    NONE,
    /** An error is reported, and nothing was done, or half of the bytes were written. */
    ERROR,
    /** A write that keeps half of its bytes and reports success; an error for the others. */
    SHORT_WRITE,
    /**
     * A sync that reports an error and loses the bytes. Syncs of that file afterwards report
     * success, and it reads well until the power goes. With the sync of all names it is the new
     * names that are lost. An error for the other operations.
     */
    LOST_PAGES,
    /** The operation does what it should, and yet reports an error. */
    DONE,
    /** The power goes: this operation and all that come after it fail. */
    POWER_CUT
  }
}
