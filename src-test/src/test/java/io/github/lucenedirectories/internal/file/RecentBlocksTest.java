// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.Dropped;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** The table of recent blocks: what it holds, and how it spreads blocks. */
public class RecentBlocksTest extends LibraryTestCase {

  private static final int SLOTS = 1 << 14;

  /** Blocks come back whole, or not at all. */
  public void testFindsWhatWasAdded() {
    RecentBlocks recent = RecentBlocks.ofBytes(1 << 10);
    long file = RecentBlocks.newFile();
    byte[] block = new byte[1 << 10];
    int found = 0;
    for (int number = 0; number < 1_000; number++) {
      block[0] = (byte) number;
      block[block.length - 1] = (byte) -number;
      recent.add(file, number, block, block.length);
    }
    for (int number = 0; number < 1_000; number++) {
      if (recent.find(file, number, block, block.length)) {
        assertEquals((byte) number, block[0]);
        assertEquals((byte) -number, block[block.length - 1]);
        found++;
      }
      assertFalse(recent.find(file + 1, number, block, block.length));
    }
    assertTrue("found=" + found, found >= 900);
  }

  /** The memory goes with the class loader, although no garbage collector owns it. */
  public void testMemoryIsFreedWithClassLoader() throws Exception {
    MemorySegment.Scope scope = scopeInAnotherLoader();
    for (int i = 0; i < 1_000 && scope.isAlive(); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertFalse("the memory is leaked", scope.isAlive());
  }

  private static MemorySegment.Scope scopeInAnotherLoader() throws Exception {
    List<URL> classes = new ArrayList<>();
    for (Class<?> each : List.of(Dropped.class, RecentBlocks.class, Directory.class)) {
      classes.add(each.getProtectionDomain().getCodeSource().getLocation());
    }
    URL[] path = classes.toArray(new URL[0]);
    try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(RecentBlocks.class.getName());
      Object table = invoke(type, null, "ofBytes", 1 << 10);
      invoke(type, table, "add", 1L, 1L, new byte[1 << 10], 1 << 10);
      Field arena = type.getDeclaredField("arena");
      arena.setAccessible(true);
      return ((Arena) arena.get(table)).scope();
    }
  }

  private static Object invoke(
      Class<?> type, @Nullable Object target, String name, Object... arguments) throws Exception {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        method.setAccessible(true);
        return method.invoke(target, arguments);
      }
    }
    throw new AssertionError(name);
  }

  /** A block that other threads replace meanwhile is not returned in parts. */
  public void testNoTornBlocks() throws Exception {
    RecentBlocks recent = RecentBlocks.ofBytes(1 << 12);
    long file = RecentBlocks.newFile();
    // More blocks of one pair than it has places.
    int slots = (1 << 24) / (1 << 12);
    int[] numbers =
        IntStream.range(0, 1 << 20)
            .filter(number -> RecentBlocks.firstSlot(file, number, slots) == 0)
            .limit(6)
            .toArray();
    AtomicBoolean end = new AtomicBoolean();
    FutureTask<Void> writer =
        begin(
            () -> {
              byte[] block = new byte[1 << 12];
              for (int i = 0; !end.get(); i++) {
                int number = numbers[i % numbers.length];
                Arrays.fill(block, (byte) number);
                recent.add(file, number, block, block.length);
              }
            });
    byte[] block = new byte[1 << 12];
    long until = System.nanoTime() + 500_000_000;
    for (int i = 0; System.nanoTime() < until; i++) {
      byte number = (byte) numbers[i % numbers.length];
      if (recent.find(file, numbers[i % numbers.length], block, block.length)) {
        for (byte each : block) {
          assertEquals(number, each);
        }
      }
    }
    end.set(true);
    writer.get();
  }

  /**
   * Hot blocks spread over all pairs as random numbers do, whether they are near each other, far
   * apart, or at the same places of several files.
   */
  public void testSpreadsBlocks() {
    long first = random().nextLong(1L << 20);
    requireSpread(1, 4_000, first, 1);
    requireSpread(1, 4_000, first, 16);
    for (int shift = 2; shift < 30; shift++) {
      requireSpread(1, 4_000, 0, 1L << shift);
    }
    requireSpread(100, 40, 0, 1);
    requireSpread(4_000, 1, first, 1);
  }

  private static void requireSpread(int files, int blocks, long begin, long step) {
    Map<Integer, Integer> pairs = new HashMap<>();
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < blocks; i++) {
        int slot = RecentBlocks.firstSlot(begin + file, begin + i * step, SLOTS);
        assertTrue(slot >= 0 && slot < SLOTS && (slot & 1) == 0);
        pairs.merge(slot, 1, Integer::sum);
      }
    }
    int count = files * blocks;
    // More than two blocks of a pair do not fit: of 4,000 random numbers 3 in a hundred.
    int surplus = pairs.values().stream().mapToInt(n -> Math.max(0, n - 2)).sum();
    assertTrue("surplus=" + surplus + " of " + count, surplus < count * 5 / 100);
  }
}
