// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import com.intel.pmem.llpl.MemoryPool;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.util.IOSupplier;

/** What the engines write is flushed by what they flush with. */
public class EngineFlushTest extends LibraryTestCase {

  private static final int POOL_BYTES = 64 * Layout.PAGE_BYTES;
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  /** The kernel knows which pages of a mapping have to be written to the file. */
  public void testJdk() throws IOException {
    Path file = newFile();
    assumeTrue("the system does not show what is written", msyncShows(newFile()));
    try (JdkPool pool = new JdkPool(file, MapMode.READ_WRITE)) {
      check(pool, () -> dirtyBytes(file) > 0);
    }
  }

  public void testLlpl() throws IOException {
    BitSet dirty = new BitSet();
    MethodHandle unmap = MethodHandles.empty(MethodType.methodType(void.class));
    try (LlplPool pool = new LlplPool(recording(dirty), unmap, newFile(), MapMode.READ_WRITE)) {
      check(pool, () -> !dirty.isEmpty());
    }
  }

  private static Path newFile() throws IOException {
    return Files.write(FilterPath.unwrap(createTempFile()), new byte[POOL_BYTES]);
  }

  private static void check(PoolMemory pool, IOSupplier<Boolean> unflushed) throws IOException {
    for (int i = 0; i < 30; i++) {
      int length = 1 + random().nextInt(1 << random().nextInt(16));
      int offset = random().nextInt(POOL_BYTES - length);
      if (i % 3 == 0) {
        // To the first byte of a page.
        length = Math.max(1, length + 1 - (offset + length) % Layout.PAGE_BYTES);
      } else if (i % 3 == 1) {
        // From the last byte of a page to the first of the next.
        offset = offset / Layout.PAGE_BYTES * Layout.PAGE_BYTES + Layout.PAGE_BYTES - 1;
        offset = Math.min(offset, POOL_BYTES - Layout.PAGE_BYTES - 1);
        length = 2;
      }
      if (random().nextBoolean()) {
        byte[] bytes = new byte[length + 5];
        random().nextBytes(bytes);
        pool.write(offset, bytes, 5, length);
      } else {
        offset &= -Long.BYTES;
        length = Long.BYTES;
        pool.writeWord(offset, random().nextLong());
      }
      assertTrue("written, not flushed", unflushed.get());
      pool.flush(offset, length);
      assertFalse("flushed: offset=" + offset + ", length=" + length, unflushed.get());
    }
  }

  /** A pool of LLPL that knows what was stored and not flushed since. */
  private static MemoryPool recording(BitSet dirty) {
    return (MemoryPool)
        Proxy.newProxyInstance(
            EngineFlushTest.class.getClassLoader(),
            new Class<?>[] {MemoryPool.class},
            (_, method, args) -> {
              switch (method.getName()) {
                case "copyFromByteArray" -> set(dirty, (long) args[2], (int) args[3], true);
                case "setLong" -> set(dirty, (long) args[0], Long.BYTES, true);
                case "flush" -> set(dirty, (long) args[0], (long) args[1], false);
                default -> throw new AssertionError(method);
              }
              return null;
            });
  }

  private static void set(BitSet bits, long from, long length, boolean value) {
    bits.set((int) from, (int) (from + length), value);
  }

  /** Whether a page that {@code msync} wrote is clean here; it is not in a file of a tmpfs. */
  private static boolean msyncShows(Path file) throws IOException {
    if (!Files.isReadable(MAPPINGS)) {
      return false;
    }
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = channel.map(MapMode.READ_WRITE, 0, POOL_BYTES, arena);
      bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      boolean written = dirtyBytes(file) > 0;
      bytes.force();
      return written && dirtyBytes(file) == 0;
    }
  }

  /** Bytes of this process's mappings of a file that the kernel has to write. */
  private static long dirtyBytes(Path file) throws IOException {
    long bytes = 0;
    boolean inFile = false;
    for (String line : Files.readAllLines(MAPPINGS)) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        inFile = line.endsWith(" " + file.toRealPath());
      } else if (inFile && line.matches("(Shared|Private)_Dirty:.*")) {
        bytes += Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return bytes;
  }
}
