package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.pmem.SimulatedDevice.Step;
import io.github.lucenedirectories.pmem.SimulatedRun.Plant;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The simulator finds what it is there to find: each fault that is planted is caught. */
public class PlantedPmemFaultTest extends LibraryTestCase {

  private static final int MOST_RUNS = 200;
  private static final int OPERATIONS = 60;
  private static final long EXTENTS_AT =
      Layout.extentsAt(0, Layout.logBytes(Layout.SMALLEST_POOL_BYTES));

  private static boolean isHeader(Step step, long length) {
    return step == Step.FLUSH && length == Long.BYTES;
  }

  public void testFlushOfBytesLeftOut() {
    assertCaught(new FlushOfBytesLeftOut());
  }

  /** Commits of an index find a fault too. */
  public void testFlushOfBytesLeftOutUnderAnIndex() {
    assertCaught(seed -> new SimulatedCommits(seed, new FlushOfBytesLeftOut()).run());
  }

  private static final class FlushOfBytesLeftOut implements Plant {
    @Override
    public boolean takes(Step step, long offset, long length) {
      return step != Step.FLUSH || offset < EXTENTS_AT;
    }
  }

  public void testFlushOfRecordLeftOut() {
    assertCaught(
        new Plant() {
          @Override
          public boolean takes(Step step, long offset, long length) {
            return step != Step.FLUSH || offset >= EXTENTS_AT || isHeader(step, length);
          }
        });
  }

  public void testFlushOfHeaderLeftOut() {
    assertCaught(
        new Plant() {
          @Override
          public boolean takes(Step step, long offset, long length) {
            return !isHeader(step, length);
          }
        });
  }

  public void testFenceBeforeHeaderLeftOut() {
    assertCaught(new FenceLeftOut(false));
  }

  public void testFenceAfterHeaderLeftOut() {
    assertCaught(new FenceLeftOut(true));
  }

  /** Leaves out the fences that follow the flush of a header, or the others. */
  private static final class FenceLeftOut implements Plant {
    private final boolean afterHeader;
    private boolean lastWasHeader;

    FenceLeftOut(boolean afterHeader) {
      this.afterHeader = afterHeader;
    }

    @Override
    public boolean takes(Step step, long offset, long length) {
      if (step == Step.FLUSH) {
        lastWasHeader = isHeader(step, length);
      }
      return step != Step.DRAIN || lastWasHeader != afterHeader;
    }
  }

  public void testRecordPublishedBeforeItsBody() {
    assertCaught(
        new Plant() {
          @Override
          public PoolMemory pool(PoolMemory pool) {
            boolean first = pool.bytes().get(ValueLayout.JAVA_INT, Layout.INDEX_AT) == 0;
            return first ? new HeaderFirst(pool) : pool;
          }
        });
  }

  /** Holds what is written to the logs back until a word was written and drained. */
  private static final class HeaderFirst extends ForwardingPool {
    private byte[] held = new byte[0];
    private long heldAt;

    HeaderFirst(PoolMemory pool) {
      super(pool);
    }

    @Override
    public void write(long offset, byte[] from, int index, int length) {
      if (offset >= EXTENTS_AT) {
        pool.write(offset, from, index, length);
        return;
      }
      held = new byte[length];
      System.arraycopy(from, index, held, 0, length);
      heldAt = offset;
    }

    @Override
    public void writeWord(long offset, long value) {
      pool.writeWord(offset, value);
      try {
        pool.flush(offset, Long.BYTES);
        pool.drain();
        if (held.length > 0) {
          pool.write(heldAt, held, 0, held.length);
          pool.flush(heldAt, held.length);
          held = new byte[0];
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  public void testExtentUsedAgainBeforeRemovalIsDurable() {
    assertCaught(
        new Plant() {
          @Override
          public PageAllocator space() {
            return new PageAllocator() {
              @Override
              void setNamed(List<PoolExtent> extents, boolean named) {
                // Whatever records say, what nobody uses is free.
              }

              @Override
              boolean takeNamed(PoolExtent extent) {
                boolean taken = super.takeNamed(extent);
                super.setNamed(List.of(extent), false);
                return taken;
              }
            };
          }
        });
  }

  private static void assertCaught(Plant plant) {
    assertCaught(seed -> new SimulatedRun(seed, plant).run(OPERATIONS));
  }

  private interface Run {
    void run(long seed) throws IOException;
  }

  private static void assertCaught(Run simulated) {
    for (int run = 0; run < MOST_RUNS; run++) {
      try {
        simulated.run(random().nextLong());
      } catch (AssertionError | IOException expected) {
        return;
      }
    }
    fail("not caught in " + MOST_RUNS + " runs");
  }
}
