// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Persistent memory for {@link PmemDirectory} that knows what is durable. It can be looked at
 * before every step that a directory takes on it, and gives what a power cut at that moment may
 * leave, as another device: each aligned word of eight bytes that is not durable has any of the
 * values that it had since it last was.
 *
 * <p>Making a pool file is one step: it is there, durable, or not. Steps can be made to fail: then
 * nothing is written, and what a flush was for counts as written without being durable, as in a
 * kernel. One thread at a time.
 */
final class SimulatedDevice implements PoolStore {

  /** What a directory does on the device. */
  enum Step {
    CREATE,
    WRITE,
    WRITE_WORD,
    FLUSH
  }

  /** Most pages of a pool file, by their power of two. */
  private static final int MOST_PAGES_SHIFT = 8;

  private final PmemOptions options;
  private final Map<String, SimulatedPool> pools = new TreeMap<>();

  /** What is called before each step, and says whether it fails. */
  Predicate<Step> watch = _ -> false;

  /** Whether free pages are populated; that takes a thread, and runs of one seed then differ. */
  boolean touchesFreely;

  /**
   * An empty device.
   *
   * @param options of the directory; its greatest size is the capacity
   */
  SimulatedDevice(PmemOptions options) {
    this.options = options;
  }

  /**
   * A device for a directory with pool files of any size.
   *
   * @param moreBytes of all pool files but the first
   */
  static SimulatedDevice ofAnySize(Random random, long moreBytes) {
    long logBytes = Layout.logBytes(Layout.SMALLEST_POOL_BYTES);
    long first =
        AddressRanges.roundUp(Layout.extentsAt(0, logBytes) + anyPages(random), Layout.PAGE_BYTES);
    long more = Layout.extentsAt(1, 0) + anyPages(random);
    return new SimulatedDevice(new PmemOptions(first, more, first + moreBytes, 1L << 30));
  }

  private static long anyPages(Random random) {
    return (1L + random.nextInt(1 << random.nextInt(MOST_PAGES_SHIFT))) * Layout.PAGE_BYTES
        // What is less than a page is not used.
        + (random.nextBoolean() ? random.nextInt(Layout.PAGE_BYTES) : 0);
  }

  /** Opens the directory on this device; one at a time. */
  PmemDirectory open() throws IOException {
    return new PmemDirectory(this, options);
  }

  /** What a power cut may leave. */
  SimulatedDevice afterPowerCut(Random random) {
    SimulatedDevice left = new SimulatedDevice(options);
    pools.forEach((name, pool) -> left.pools.put(name, pool.afterPowerCut(left, random)));
    return left;
  }

  /**
   * What a kill of the process leaves: all that was stored, durable or not, so that a later power
   * cut may still take it.
   */
  SimulatedDevice afterKill() {
    SimulatedDevice left = new SimulatedDevice(options);
    pools.forEach((name, pool) -> left.pools.put(name, pool.afterKill(left)));
    return left;
  }

  private SimulatedPool pool(String name) {
    return Objects.requireNonNull(pools.get(name), name);
  }

  @Override
  public List<String> names() {
    return new ArrayList<>(pools.keySet());
  }

  @Override
  public void deleteUnfinished() {
    // A pool file is made in one step.
  }

  @Override
  public long length(String name) {
    return pool(name).size();
  }

  @Override
  public byte[] head(String name, int length) {
    SimulatedPool pool = pool(name);
    return pool.bytes().asSlice(0, Math.min(length, pool.size())).toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void create(String name, long length, byte[] head) throws IOException {
    if (watch.test(Step.CREATE)) {
      throw new IOException("the test makes no pool file: " + name);
    }
    pools.put(name, new SimulatedPool(this, length, head));
  }

  @Override
  public PoolMemory map(String name) {
    return pool(name);
  }

  @Override
  public long usableBytes() {
    return options.maxBytes() - pools.values().stream().mapToLong(SimulatedPool::size).sum();
  }

  @Override
  public boolean touchesFreely() {
    return touchesFreely;
  }

  @Override
  public String path(String name) {
    return "simulated/" + name;
  }

  @Override
  public String description() {
    return "simulated";
  }

  @Override
  public void close() {}
}
