package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of files that are read from end to end past the page cache: those that were read last, and
 * those that will be read next. Any thread may use it.
 */
final class DirectBlocks {

  /*
   * A direct read waits for the device, so the next blocks of a file must be on their way before
   * they are asked for. They belong to no input: a merge takes clones that nobody closes. What a
   * reader has left behind goes at once, since it will not come back and the page cache has use for
   * the memory; else the block that was used longest ago gives way, so the table should hold four
   * blocks for each file that is read at a time.
   *
   * The lock of the table is held for its own book-keeping alone, never during a read. Who takes a
   * block that is not there loads it, all others wait for its `length`. A block with users keeps its
   * memory.
   */

  static final int BLOCK_BYTES = DirectMemory.PIECE_BYTES;

  /** The blocks of all directories of the process. */
  static final DirectBlocks OF_PROCESS = new DirectBlocks(128);

  /** Blocks that are loaded ahead of a reader. */
  private static final int AHEAD = 2;

  private final int capacity;

  /** In the order of their last use, the oldest first. Guarded by this. */
  private final Map<Key, Block> blocks = new LinkedHashMap<>(16, 0.75f, true);

  /** A table of at most {@code capacity} blocks. */
  DirectBlocks(int capacity) {
    this.capacity = capacity;
  }

  private record Key(DirectFile file, long number) {}

  private static final class Block {
    final Key key;
    final MemorySegment memory = DirectMemory.take();

    /** How many bytes of the file it holds, once they are there. */
    final CompletableFuture<Integer> length = new CompletableFuture<>();

    /** Whether a reader asked for it. */
    boolean wanted;

    /** Threads that use the memory. */
    int users = 1;

    Block(Key key) {
      this.key = key;
    }
  }

  /**
   * Copies bytes of a block of a file, and loads the next blocks if the one before this was read
   * too.
   *
   * @param from first byte in the block
   * @return false if there is no room for the block
   */
  boolean read(DirectFile file, long number, int from, byte[] target, int offset, int length)
      throws IOException {
    Key key = new Key(file, number);
    Block block;
    boolean mine;
    boolean goesOn;
    Key before = new Key(file, number - 1);
    synchronized (this) {
      Block found = blocks.get(key);
      mine = found == null;
      try {
        block = found == null ? tryAdd(key) : found;
      } catch (OutOfMemoryError _) {
        return false;
      }
      if (block == null) {
        return false;
      }
      if (!mine) {
        block.users++;
      }
      goesOn = !block.wanted && (number == 0 || blocks.containsKey(before));
      block.wanted = true;
    }
    try {
      if (goesOn) {
        for (int i = 1; i <= AHEAD; i++) {
          loadAhead(new Key(file, number + i));
        }
      }
      if (mine) {
        load(block);
      }
      int loaded = await(block);
      Objects.checkFromIndexSize(from, length, loaded);
      MemorySegment.copy(block.memory, ValueLayout.JAVA_BYTE, from, target, offset, length);
    } catch (Throwable t) {
      if (mine && !block.length.isDone()) {
        // Others wait for it.
        fail(block, t);
      }
      throw t;
    } finally {
      giveBack(block);
    }
    if (goesOn) {
      forget(new Key(file, number - 2));
    }
    if (number * BLOCK_BYTES + from + length == file.length()) {
      forget(before);
      forget(key);
    }
    return true;
  }

  private synchronized void forget(Key key) {
    Block block = blocks.remove(key);
    if (block != null && block.users == 0) {
      DirectMemory.giveBack(block.memory);
    }
  }

  /** Adds a block that the caller uses and must load; null if all are in use. */
  private @Nullable Block tryAdd(Key key) {
    if (blocks.size() >= capacity) {
      Iterator<Block> oldest = blocks.values().iterator();
      Block victim = null;
      while (victim == null && oldest.hasNext()) {
        Block block = oldest.next();
        if (block.users == 0) {
          oldest.remove();
          victim = block;
        }
      }
      if (victim == null) {
        return null;
      }
      DirectMemory.giveBack(victim.memory);
    }
    Block added = new Block(key);
    blocks.put(key, added);
    return added;
  }

  private void loadAhead(Key key) {
    if (key.number * BLOCK_BYTES >= key.file.length()) {
      return;
    }
    try {
      Block block;
      synchronized (this) {
        block = blocks.containsKey(key) ? null : tryAdd(key);
      }
      if (block != null) {
        loadElsewhere(block);
      }
    } catch (OutOfMemoryError _) {
      // No memory, or no thread, for a block ahead: the reader will load it when it comes to it.
    }
  }

  private void loadElsewhere(Block block) {
    try {
      DirectThreads.run(
          () -> {
            load(block);
            giveBack(block);
          });
    } catch (Throwable t) {
      fail(block, t);
      giveBack(block);
      throw t;
    }
  }

  private void load(Block block) {
    try {
      block.length.complete(block.key.file.load(block.key.number * BLOCK_BYTES, block.memory));
    } catch (Throwable t) {
      fail(block, t);
    }
  }

  /** Ends the waiting for a block that will not come; whoever asks next tries again. */
  private void fail(Block block, Throwable cause) {
    synchronized (this) {
      blocks.remove(block.key, block);
    }
    block.length.completeExceptionally(cause);
  }

  private static int await(Block block) throws IOException {
    try {
      return block.length.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException) {
        // One of its own for each thread that waits.
        throw new IOException(cause.getMessage(), cause);
      }
      throw cause instanceof RuntimeException unchecked ? unchecked : e;
    }
  }

  private synchronized void giveBack(Block block) {
    block.users--;
    if (block.users == 0 && blocks.get(block.key) != block) {
      DirectMemory.giveBack(block.memory);
    }
  }

  /** How many blocks it holds. */
  synchronized int held() {
    return blocks.size();
  }

  /** Forgets the blocks of a file. */
  synchronized void drop(DirectFile file) {
    Iterator<Block> all = blocks.values().iterator();
    while (all.hasNext()) {
      Block block = all.next();
      if (block.key.file == file) {
        all.remove();
        if (block.users == 0) {
          DirectMemory.giveBack(block.memory);
        }
      }
    }
  }
}
