package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.SingleInstanceLockFactory;

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
public final class SimulatedDevice implements PoolStore {

  /** What a directory does on the device. */
  public enum Step {
    CREATE,
    WRITE,
    WRITE_WORD,
    FLUSH,
    DRAIN
  }

  /** Is called before each step. */
  public interface Watch {
    void before(Step step, long offset, long length);

    /** Whether a step fails, if it is not a drain. */
    default boolean fails(Step step, long offset, long length) {
      return false;
    }
  }

  private final PmemOptions options;
  private final Map<String, SimulatedPool> pools = new TreeMap<>();
  private Watch watch = (step, offset, length) -> {};
  private UnaryOperator<PoolMemory> change = UnaryOperator.identity();

  /**
   * An empty device.
   *
   * @param options of the directory; its greatest size is the capacity
   */
  SimulatedDevice(PmemOptions options) {
    this.options = options;
  }

  /** Opens the directory on this device; one at a time. */
  public PmemDirectory open() throws IOException {
    return new PmemDirectory(new SingleInstanceLockFactory(), () -> {}, this, options);
  }

  /** Sets who is called before each step. */
  public void watch(Watch newWatch) {
    watch = newWatch;
  }

  /** Sets what changes the pools that a directory gets. */
  void changePools(UnaryOperator<PoolMemory> newChange) {
    change = newChange;
  }

  void meet(Step step, long offset, long length) {
    watch.before(step, offset, length);
  }

  boolean fails(Step step, long offset, long length) {
    return watch.fails(step, offset, length);
  }

  void drainAll() {
    pools.values().forEach(SimulatedPool::complete);
  }

  /** What a power cut may leave. */
  public SimulatedDevice afterPowerCut(Random random) {
    SimulatedDevice left = new SimulatedDevice(options);
    pools.forEach((name, pool) -> left.pools.put(name, pool.afterPowerCut(left, random)));
    return left;
  }

  /**
   * What a kill of the process leaves: all that was stored, durable or not, so that a later power
   * cut may still take it.
   */
  public SimulatedDevice afterKill() {
    SimulatedDevice left = new SimulatedDevice(options);
    pools.forEach((name, pool) -> left.pools.put(name, pool.afterKill(left)));
    return left;
  }

  private SimulatedPool pool(String name) {
    SimulatedPool pool = pools.get(name);
    if (pool == null) {
      throw new IllegalArgumentException("no pool: " + name);
    }
    return pool;
  }

  @Override
  public List<String> names() {
    return new ArrayList<>(pools.keySet());
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
    meet(Step.CREATE, 0, length);
    if (fails(Step.CREATE, 0, length)) {
      throw new IOException("the test makes no pool file: " + name);
    }
    pools.put(name, new SimulatedPool(this, length, head));
    meet(Step.CREATE, 0, length);
  }

  @Override
  public PoolMemory map(String name) {
    return change.apply(pool(name));
  }

  @Override
  public long usableBytes() {
    return options.maxBytes() - pools.values().stream().mapToLong(SimulatedPool::size).sum();
  }

  @Override
  public boolean touchesFreely() {
    // A thread more would make runs differ that have one seed.
    return false;
  }

  @Override
  public String path(String name) {
    return "simulated/" + name;
  }

  @Override
  public String description() {
    return "simulated";
  }
}
