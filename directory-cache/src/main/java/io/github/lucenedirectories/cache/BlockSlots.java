// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What each slot of a cache holds: one readable block and its key, or nothing readable.
 *
 * <p>A reader takes a stamp, copies the slot's bytes, and then checks that the stamp is still
 * valid. If not, the bytes may belong to another block and must be discarded. Readers take no lock.
 * One thread at a time claims and publishes a slot; in between, that thread owns the slot and is
 * its only writer.
 */
final class BlockSlots {

  /*
   * A sequence lock for each slot. The version is odd while the slot is claimed. The order is
   *
   *   writer: version odd (release fence) bytes, key (release) version even
   *   reader: version (acquire) key, bytes (acquire fence) version again
   *
   * so a reader that sees one byte of the writer sees the odd version, or a later one, at the end.
   * Boehm, "Can seqlocks get along with programming language memory models?", 2012.
   */

  /** Returned by {@link #stamp} if the slot does not hold the block. */
  static final long GONE = 1;

  static final int MOST_USES = 3;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  /** Words per slot, which lie in one cache line or in halves of two. */
  private static final int STRIDE = 4;

  private static final int KEY = 1;
  private static final int USES = 2;
  private static final int USES_BITS = 2;

  private final long[] words;

  BlockSlots(int slots) {
    words = new long[Math.multiplyExact(slots, STRIDE)];
    for (int slot = 0; slot < slots; slot++) {
      words[slot * STRIDE] = GONE;
    }
  }

  /** A stamp for reading the block from the slot, or {@link #GONE}. */
  long stamp(int slot, long key) {
    int word = slot * STRIDE;
    long version = (long) WORD.getAcquire(words, word);
    return (version & 1) == 0 && (long) WORD.getOpaque(words, word + KEY) == key ? version : GONE;
  }

  /** Whether the bytes that were read since the stamp was taken belong to its block. */
  boolean isValid(int slot, long stamp) {
    VarHandle.acquireFence();
    return (long) WORD.getOpaque(words, slot * STRIDE) == stamp;
  }

  /** Ends reads of a slot; from now on the caller may write its bytes. */
  void claim(int slot) {
    int word = slot * STRIDE;
    long version = (long) WORD.getOpaque(words, word);
    WORD.setOpaque(words, word, version | 1);
    // The odd version must be visible before the bytes that the caller writes.
    VarHandle.fullFence();
  }

  /** Allows reads of a claimed slot, whose bytes are complete. */
  void publish(int slot, long key) {
    int word = slot * STRIDE;
    WORD.setOpaque(words, word + KEY, key);
    WORD.setRelease(words, word, (long) WORD.getOpaque(words, word) + 1);
  }

  long key(int slot) {
    return (long) WORD.getOpaque(words, slot * STRIDE + KEY);
  }

  /**
   * Counts a use of the block, up to {@value #MOST_USES}. A use within {@code apart} ticks of
   * {@link #beginUses} belongs to the read that cached the block, and does not count.
   */
  void use(int slot, long now, long apart) {
    int word = slot * STRIDE + USES;
    long uses = (long) WORD.getOpaque(words, word);
    if ((uses & MOST_USES) < MOST_USES && now - (uses >>> USES_BITS) > apart) {
      // Two concurrent uses may count as one, which does no harm.
      WORD.setOpaque(words, word, uses + 1);
    }
  }

  void beginUses(int slot, long now) {
    WORD.setOpaque(words, slot * STRIDE + USES, now << USES_BITS);
  }

  /** How often the block was used, at most {@value #MOST_USES}. */
  int uses(int slot) {
    return (int) (long) WORD.getOpaque(words, slot * STRIDE + USES) & MOST_USES;
  }

  void setUses(int slot, int uses) {
    int word = slot * STRIDE + USES;
    WORD.setOpaque(words, word, ((long) WORD.getOpaque(words, word) & -(MOST_USES + 1L)) | uses);
  }
}
