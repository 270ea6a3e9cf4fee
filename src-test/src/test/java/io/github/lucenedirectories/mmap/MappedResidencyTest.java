package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.tests.util.LuceneTestCase;

/** When a mapped file asks the kernel to load what is prefetched. */
@LuceneTestCase.SuppressFileSystems("*") // what is mapped must be a real file
public class MappedResidencyTest extends LibraryTestCase {

  private static final int BYTES = 1 << 16;

  /**
   * However often a file was found loaded, a part that is not is asked for within 64 prefetches.
   */
  public void testAsksAgain() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path path = createTempDir().resolve("file");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        Arena arena = Arena.ofConfined()) {
      file.write(randomBytes(BYTES));
      file.setLength(2 * BYTES); // a hole is not in memory
      MemorySegment all = file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, 2 * BYTES, arena);
      MappedResidency residency =
          new MappedResidency(
              path,
              NativeCalls.get().orElseThrow(),
              new Advisor(Advisor.Random.NONE),
              new MappingCount(() -> 100, () -> 0));
      long before = PathCounter.NATIVE_ADVICE.count();
      // Far from the next power of two.
      int loaded = random().nextInt(4_097, 8_000);
      for (int i = 0; i < loaded; i++) {
        residency.prefetch(all.asSlice(0, BYTES));
      }
      assertEquals("asks for what is loaded", before, PathCounter.NATIVE_ADVICE.count());
      for (int i = 0; i < 64; i++) {
        residency.prefetch(all.asSlice(BYTES, BYTES));
      }
      assertTrue("asks for nothing", PathCounter.NATIVE_ADVICE.count() > before);
      residency.unmapped();
    }
  }

  /** Inputs read ahead themselves where the kernel was told not to. */
  public void testNeedsReadAhead() {
    for (String name : List.of("_0.fdt", "_0.doc", "_0.cfs")) {
      for (Advisor.Random random : Advisor.Random.values()) {
        MappedResidency residency =
            new MappedResidency(
                createTempDir(),
                NativeCalls.get().orElse(null),
                new Advisor(random),
                new MappingCount(() -> 100, () -> 0));
        residency.mapped(MemorySegment.NULL, name, IOContext.DEFAULT);
        boolean expected =
            switch (random) {
              case NONE -> false;
              case COLD -> name.equals("_0.fdt");
              case MOST, ALL -> true;
            };
        assertEquals(expected && TestMode.current().nativeAccess(), residency.needsReadAhead());
        residency.unmapped();
      }
    }
  }
}
