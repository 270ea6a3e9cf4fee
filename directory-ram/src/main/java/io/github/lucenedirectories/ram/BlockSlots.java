package io.github.lucenedirectories.ram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What each slot of a cache holds: nothing that may be read, or one block, named by its key.
 *
 * <p>A reader takes a stamp, copies the slot's bytes, and then asks whether the stamp is still
 * valid: if not, the bytes may be those of another block and must be thrown away. Readers take no
 * lock. A slot is claimed and published by one thread at a time, which owns it in between and alone
 * writes its bytes.
 */
final class BlockSlots {

  /*
   * A sequence lock for each slot. The version is odd while the slot is claimed. The order is
   *
   *   writer: version odd (release fence) bytes, key (release) version even
   *   reader: version (acquire) key, bytes (acquire fence) version again
   *
   * so a reader who sees one byte of the writer sees the odd version, or a later one, at the end.
   * Boehm, "Can seqlocks get along with programming language memory models?", 2012.
   */

  /** What {@link #stamp} returns if the block is not there. */
  static final long GONE = 1;

  static final int MOST_USES = 3;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  /** Words from one slot to the next, of one cache line or two halves. */
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

  /** Whether what was read since the stamp was taken are bytes of its block. */
  boolean isValid(int slot, long stamp) {
    VarHandle.acquireFence();
    return (long) WORD.getOpaque(words, slot * STRIDE) == stamp;
  }

  /** Ends the reading of a slot, whose bytes the caller may write from now on. */
  void claim(int slot) {
    int word = slot * STRIDE;
    long version = (long) WORD.getOpaque(words, word);
    WORD.setOpaque(words, word, version | 1);
    // Before the bytes that the caller writes.
    VarHandle.fullFence();
  }

  /** Begins the reading of a claimed slot, whose bytes are complete. */
  void publish(int slot, long key) {
    int word = slot * STRIDE;
    WORD.setOpaque(words, word + KEY, key);
    WORD.setRelease(words, word, (long) WORD.getOpaque(words, word) + 1);
  }

  long key(int slot) {
    return (long) WORD.getOpaque(words, slot * STRIDE + KEY);
  }

  /**
   * Counts a use of the block, up to {@value #MOST_USES}. One within {@code apart} ticks of the
   * {@link #beginUses} belongs to the use that brought the block, and does not count.
   */
  void use(int slot, long now, long apart) {
    int word = slot * STRIDE + USES;
    long uses = (long) WORD.getOpaque(words, word);
    if ((uses & MOST_USES) < MOST_USES && now - (uses >>> USES_BITS) > apart) {
      // Two at once may count as one, which does no harm.
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
