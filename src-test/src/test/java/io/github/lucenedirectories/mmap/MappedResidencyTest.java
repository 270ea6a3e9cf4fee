// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
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
   * However often a file was found loaded, a part that is not is asked for within 1,024 prefetches.
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
      int loaded = random().nextInt(65_537, 120_000);
      for (int i = 0; i < loaded; i++) {
        residency.prefetch(all.asSlice(0, BYTES));
      }
      assertEquals("asks for what is loaded", before, PathCounter.NATIVE_ADVICE.count());
      for (int i = 0; i < 1_024; i++) {
        residency.prefetch(all.asSlice(BYTES, BYTES));
      }
      assertTrue("asks for nothing", PathCounter.NATIVE_ADVICE.count() > before);
      residency.unmapped();
    }
  }

  /** The kernel is called only for ranges whose advice changes. */
  public void testAdvisesWhatChanges() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    List<String> names = List.of("_0.fdt", "_0.tim", "_0.doc", "_0.vec", "_0.nvd", "_0.tvd");
    Path path = createTempDir().resolve("file");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        Arena arena = Arena.ofConfined()) {
      file.setLength((long) names.size() * BYTES);
      MemorySegment all =
          file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, file.length(), arena);
      for (Advisor.Random first : Advisor.Random.values()) {
        Advisor advisor = new Advisor(first);
        MappedResidency residency =
            new MappedResidency(
                path,
                NativeCalls.get().orElseThrow(),
                advisor,
                new MappingCount(() -> 100, () -> 0));
        long before = PathCounter.NATIVE_ADVICE.count();
        residency.mapped(all, "_0.cfs", IOContext.DEFAULT);
        for (int i = 0; i < names.size(); i++) {
          residency.advise(all.asSlice((long) i * BYTES, BYTES), names.get(i), IOContext.DEFAULT);
        }
        long expected =
            first == Advisor.Random.ALL ? 1 : changes(names, Advisor.Random.NONE, first);
        assertEquals(first.name(), expected, PathCounter.NATIVE_ADVICE.count() - before);
        Advisor.Random now = first;
        for (int i = 0; i < 10 && first != Advisor.Random.ALL; i++) {
          // ALL is for good.
          Advisor.Random next =
              randomFrom(List.of(Advisor.Random.NONE, Advisor.Random.COLD, Advisor.Random.MOST));
          before = PathCounter.NATIVE_ADVICE.count();
          advisor.change(next);
          assertEquals(
              now + " to " + next,
              changes(names, now, next),
              PathCounter.NATIVE_ADVICE.count() - before);
          now = next;
        }
        advisor.change(Advisor.Random.NONE);
        residency.unmapped();
      }
    }
  }

  private static long changes(List<String> names, Advisor.Random from, Advisor.Random to) {
    return names.stream()
        .map(name -> FileKind.of(name, IOContext.DEFAULT))
        .filter(kind -> from.includes(kind) != to.includes(kind))
        .count();
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
