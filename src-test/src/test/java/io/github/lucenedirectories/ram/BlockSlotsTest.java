package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;

/** The states of a cache's slot: a reader never takes bytes of one block for those of another. */
public class BlockSlotsTest extends LibraryTestCase {

  private static final int WORDS = 3;

  /** Those of a block of 16 KiB. */
  private static final int WORDS_OF_STRESS = 2_048;

  /**
   * One slot whose bytes are a few words; its owner claims and publishes it, others read. Alone, a
   * read returns the block's content if it is published, so together it must be as if each took
   * place at one moment.
   */
  public static class OneSlot {
    private final BlockSlots slots = new BlockSlots(1);
    private final long[] bytes = new long[WORDS];
    private boolean claimed;

    /** Holds a block from the beginning: most of what can go wrong is one step away. */
    public OneSlot() {
      slots.publish(0, 0);
    }

    /** The owner takes the slot for the next block. */
    @Operation(nonParallelGroup = "owner")
    public void claim() {
      claimed = true;
      slots.claim(0);
    }

    /** The owner writes a block and shows it. */
    @Operation(nonParallelGroup = "owner")
    public boolean publish(int content) {
      if (!claimed) {
        return false;
      }
      claimed = false;
      for (int i = 0; i < WORDS; i++) {
        bytes[i] = content;
      }
      slots.publish(0, content & 1);
      return true;
    }

    /** Returns the content of a block; one that no content is if the block is not there. */
    @Operation
    public long readEven() {
      return read(0);
    }

    @Operation
    public long readOdd() {
      return read(1);
    }

    private long read(long key) {
      long stamp = slots.stamp(0, key);
      if (stamp == BlockSlots.GONE) {
        return Long.MIN_VALUE;
      }
      long first = bytes[0];
      boolean torn = false;
      for (int i = 1; i < WORDS; i++) {
        torn |= bytes[i] != first;
      }
      if (!slots.isValid(0, stamp)) {
        return Long.MIN_VALUE;
      }
      return torn ? Long.MAX_VALUE : first;
    }
  }

  public void testAllInterleavings() {
    new ModelCheckingOptions()
        .iterations(15)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(OneSlot.class);
  }

  /** More memory than a cache line, and as fast as it goes. */
  public void testReadersNeverSeeTornBlocks() throws InterruptedException {
    BlockSlots slots = new BlockSlots(2);
    long[][] bytes = new long[2][WORDS_OF_STRESS];
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>();
    Thread[] readers = new Thread[2];
    long[] seen = new long[readers.length];
    for (int r = 0; r < readers.length; r++) {
      int reader = r;
      Random random = new Random(random().nextLong());
      readers[r] =
          new Thread(
              () -> {
                long[] copy = new long[WORDS_OF_STRESS];
                while (!stop.get()) {
                  int slot = random.nextInt(2);
                  long key = random.nextInt(4);
                  long stamp = slots.stamp(slot, key);
                  if (stamp != BlockSlots.GONE) {
                    System.arraycopy(bytes[slot], 0, copy, 0, copy.length);
                    if (slots.isValid(slot, stamp)) {
                      seen[reader]++;
                      for (long word : copy) {
                        if ((word & 3) != key || word != copy[0]) {
                          wrong.set("key=" + key + ", first=" + copy[0] + ", word=" + word);
                          return;
                        }
                      }
                    }
                  }
                }
              });
      readers[r].start();
    }
    Random random = new Random(random().nextLong());
    for (int i = 0; i < 100_000 && wrong.get() == null; i++) {
      int slot = random.nextInt(2);
      slots.claim(slot);
      for (int word = 0; word < WORDS_OF_STRESS; word++) {
        bytes[slot][word] = i;
      }
      slots.publish(slot, i & 3);
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertNull(wrong.get());
    assertTrue("nothing was read", seen[0] + seen[1] > 0);
  }

  public void testUsesCountToThree() {
    BlockSlots slots = new BlockSlots(2);
    slots.beginUses(1, 10);
    slots.use(1, 12, 2);
    assertEquals("too soon", 0, slots.uses(1));
    for (int uses = 1; uses <= 5; uses++) {
      slots.use(1, 13, 2);
      assertEquals(Math.min(uses, BlockSlots.MOST_USES), slots.uses(1));
    }
    slots.setUses(1, 1);
    assertEquals(1, slots.uses(1));
    assertEquals(0, slots.uses(0));
  }
}
