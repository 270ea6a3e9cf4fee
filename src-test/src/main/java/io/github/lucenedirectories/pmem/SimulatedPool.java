// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A pool in a memory that knows, for each aligned word of eight bytes, every value that it held
 * since it was last made durable.
 *
 * <p>What was flushed is durable. One thread at a time.
 */
final class SimulatedPool implements PoolMemory {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final SimulatedDevice device;
  private final MemorySegment bytes;

  /** What is not durable, by the index of the word. */
  private final Map<Long, History> dirty = new HashMap<>();

  /** The values of one word. */
  private static final class History {
    /** The durable value first, then each that was stored, in order. */
    private final List<Long> values = new ArrayList<>(2);

    /** Whether flushes pass the word by, because one failed since it was last stored. */
    private boolean takenForWritten;

    History(long durable) {
      values.add(durable);
    }

    History(History other) {
      values.addAll(other.values);
      takenForWritten = other.takenForWritten;
    }

    void store(long value) {
      values.add(value);
      takenForWritten = false;
    }
  }

  private SimulatedPool(SimulatedDevice device, long length) {
    this.device = device;
    this.bytes = Arena.ofAuto().allocate(length, Layout.PAGE_BYTES);
  }

  /** A pool of zeros but for its first bytes, which are durable. */
  SimulatedPool(SimulatedDevice device, long length, byte[] head) {
    this(device, length);
    MemorySegment.copy(head, 0, bytes, ValueLayout.JAVA_BYTE, 0, head.length);
  }

  /** What a kill of the process leaves, on another device: all, durable or not. */
  SimulatedPool afterKill(SimulatedDevice other) {
    SimulatedPool left = new SimulatedPool(other, size());
    left.bytes.copyFrom(bytes);
    dirty.forEach((word, history) -> left.dirty.put(word, new History(history)));
    return left;
  }

  /** What a power cut may leave, on another device: of each word one of its values. */
  SimulatedPool afterPowerCut(SimulatedDevice other, Random random) {
    SimulatedPool left = new SimulatedPool(other, size());
    left.bytes.copyFrom(bytes);
    dirty.forEach(
        (word, history) ->
            left.bytes.set(
                WORD,
                word * Long.BYTES,
                history.values.get(random.nextInt(history.values.size()))));
    return left;
  }

  @Override
  public MemorySegment bytes() {
    return bytes;
  }

  @Override
  public MemorySegment view(CountedArena arena, long offset, long length) {
    return bytes.asSlice(offset, length);
  }

  @Override
  public void ensureInPlace() {
    // Nobody removes it.
  }

  @Override
  public void write(long offset, byte[] from, int index, int length) {
    store(SimulatedDevice.Step.WRITE);
    long first = offset / Long.BYTES;
    long last = (offset + length - 1) / Long.BYTES;
    for (long word = first; word <= last; word++) {
      historyOf(word);
    }
    MemorySegment.copy(from, index, bytes, ValueLayout.JAVA_BYTE, offset, length);
    for (long word = first; word <= last; word++) {
      historyOf(word).store(bytes.get(WORD, word * Long.BYTES));
    }
  }

  private void store(SimulatedDevice.Step step) {
    if (device.watch.test(step)) {
      throw new InternalError("the test lets a store fail");
    }
  }

  private History historyOf(long word) {
    return dirty.computeIfAbsent(word, w -> new History(bytes.get(WORD, w * Long.BYTES)));
  }

  @Override
  public void writeWord(long offset, long value) {
    store(SimulatedDevice.Step.WRITE_WORD);
    History history = historyOf(offset / Long.BYTES);
    bytes.set(WORD, offset, value);
    history.store(value);
  }

  @Override
  public void flush(long offset, long length) throws IOException {
    boolean fails = device.watch.test(SimulatedDevice.Step.FLUSH);
    for (long word = offset / Long.BYTES; word * Long.BYTES < offset + length; word++) {
      History history = dirty.get(word);
      if (history != null && fails) {
        history.takenForWritten = true;
      } else if (history != null && !history.takenForWritten) {
        dirty.remove(word);
      }
    }
    if (fails) {
      throw new IOException("the test lets a flush fail");
    }
  }

  @Override
  public void close() {
    // The memory is the garbage collector's: a device is looked at after its directory was closed.
  }
}
