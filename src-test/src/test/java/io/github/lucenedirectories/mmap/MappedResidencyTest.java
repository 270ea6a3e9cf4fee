// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
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
import org.jspecify.annotations.Nullable;

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
              new Advisor(Level.PLENTY),
              null,
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
      for (Level first : Level.values()) {
        Advisor advisor = new Advisor(first);
        long before = PathCounter.NATIVE_ADVICE.count();
        MappedResidency residency = openParts(path, all, names, advisor, null);
        long expected = changes(names, Level.PLENTY, first);
        assertEquals(first.name(), expected, PathCounter.NATIVE_ADVICE.count() - before);
        Level now = first;
        for (int i = 0; i < 10; i++) {
          Level next = randomFrom(List.of(Level.values()));
          before = PathCounter.NATIVE_ADVICE.count();
          advisor.change(next);
          assertEquals(
              now + " to " + next,
              changes(names, now, next),
              PathCounter.NATIVE_ADVICE.count() - before);
          now = next;
        }
        advisor.change(Level.PLENTY);
        residency.unmapped();
      }
      for (AccessMode pinned : List.of(AccessMode.MAPPED, AccessMode.MAPPED_RANDOM)) {
        Advisor advisor = new Advisor(Level.THRASHING);
        long before = PathCounter.NATIVE_ADVICE.count();
        MappedResidency residency = openParts(path, all, names, advisor, pinned);
        advisor.change(Level.PLENTY);
        long expected = pinned == AccessMode.MAPPED ? 0 : 1;
        assertEquals(pinned.name(), expected, PathCounter.NATIVE_ADVICE.count() - before);
        residency.unmapped();
      }
    }
  }

  private static MappedResidency openParts(
      Path path,
      MemorySegment all,
      List<String> names,
      Advisor advisor,
      @Nullable AccessMode pinned) {
    MappedResidency residency =
        new MappedResidency(
            path,
            NativeCalls.get().orElseThrow(),
            advisor,
            pinned,
            new MappingCount(() -> 100, () -> 0));
    residency.mapped(all, "_0.cfs", IOContext.DEFAULT);
    for (int i = 0; i < names.size(); i++) {
      residency.advise(all.asSlice((long) i * BYTES, BYTES), names.get(i), IOContext.DEFAULT);
    }
    return residency;
  }

  private static long changes(List<String> names, Level from, Level to) {
    return names.stream()
        .map(name -> FileKind.of(name, IOContext.DEFAULT))
        .filter(kind -> from.isRandom(kind) != to.isRandom(kind))
        .count();
  }

  /** Inputs read ahead themselves where the kernel was told not to. */
  public void testNeedsReadAhead() {
    for (String name : List.of("_0.fdt", "_0.doc", "_0.cfs")) {
      for (Level level : Level.values()) {
        for (AccessMode pinned :
            new @Nullable AccessMode[] {null, AccessMode.MAPPED, AccessMode.MAPPED_RANDOM}) {
          MappedResidency residency =
              new MappedResidency(
                  createTempDir(),
                  NativeCalls.get().orElse(null),
                  new Advisor(level),
                  pinned,
                  new MappingCount(() -> 100, () -> 0));
          residency.mapped(MemorySegment.NULL, name, IOContext.DEFAULT);
          boolean follows =
              switch (level) {
                case PLENTY -> false;
                case SCARCE -> name.equals("_0.fdt");
                case THRASHING -> true;
              };
          boolean expected = pinned == null ? follows : pinned == AccessMode.MAPPED_RANDOM;
          assertEquals(expected && TestMode.current().nativeAccess(), residency.needsReadAhead());
          residency.unmapped();
        }
      }
    }
  }
}
