// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
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
              null,
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
      for (Level first : OpenFilesTest.LEVELS) {
        try (ChosenPressure memory = new ChosenPressure(first)) {
          long before = PathCounter.NATIVE_ADVICE.count();
          MappedResidency residency = openParts(path, all, names, memory.pressure, null);
          long expected = changes(names, Level.PLENTY, first);
          assertEquals(first.name(), expected, PathCounter.NATIVE_ADVICE.count() - before);
          Level now = first;
          for (int i = 0; i < 10; i++) {
            Level next = randomFrom(OpenFilesTest.LEVELS);
            before = PathCounter.NATIVE_ADVICE.count();
            memory.change(next);
            assertEquals(
                now + " to " + next,
                changes(names, now, next),
                PathCounter.NATIVE_ADVICE.count() - before);
            now = next;
          }
          memory.change(Level.PLENTY);
          residency.unmapped();
        }
      }
      for (AccessMode pinned : List.of(AccessMode.MAPPED, AccessMode.MAPPED_RANDOM)) {
        try (ChosenPressure memory = new ChosenPressure(Level.SCARCE)) {
          long before = PathCounter.NATIVE_ADVICE.count();
          MappedResidency residency = openParts(path, all, names, memory.pressure, pinned);
          memory.change(Level.PLENTY);
          long expected = pinned == AccessMode.MAPPED ? 0 : 1;
          assertEquals(pinned.name(), expected, PathCounter.NATIVE_ADVICE.count() - before);
          residency.unmapped();
        }
      }
      long before = PathCounter.NATIVE_ADVICE.count();
      MappedResidency residency = openParts(path, all, names, null, null);
      long expected = changes(names, Level.PLENTY, Level.UNKNOWN);
      assertEquals("not watched", expected, PathCounter.NATIVE_ADVICE.count() - before);
      residency.unmapped();
    }
  }

  private static MappedResidency openParts(
      Path path,
      MemorySegment all,
      List<String> names,
      @Nullable MemoryPressure pressure,
      @Nullable AccessMode pinned) {
    MappedResidency residency =
        new MappedResidency(
            path,
            NativeCalls.get().orElseThrow(),
            pressure,
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

  /** Inputs read ahead themselves, and show what they read, where the kernel was told not to. */
  public void testIsRandom() {
    for (String name : List.of("_0.fdt", "_0.doc", "_0.cfs")) {
      requireRandom(name, null, name.equals("_0.fdt"));
      for (Level level : OpenFilesTest.LEVELS) {
        try (ChosenPressure memory = new ChosenPressure(level)) {
          boolean follows =
              level != Level.PLENTY
                  && (name.equals("_0.fdt")
                      || (name.equals("_0.doc") && level != Level.COLD_SCARCE));
          requireRandom(name, memory.pressure, follows);
        }
      }
    }
  }

  private static void requireRandom(
      String name, @Nullable MemoryPressure pressure, boolean follows) {
    for (AccessMode pinned :
        new @Nullable AccessMode[] {null, AccessMode.MAPPED, AccessMode.MAPPED_RANDOM}) {
      MappedResidency residency =
          new MappedResidency(
              createTempDir(),
              NativeCalls.get().orElse(null),
              pressure,
              pinned,
              new MappingCount(() -> 100, () -> 0));
      residency.mapped(MemorySegment.NULL, name, IOContext.DEFAULT);
      boolean expected = pinned == null ? follows : pinned == AccessMode.MAPPED_RANDOM;
      assertEquals(
          expected && TestMode.current().nativeAccess(), residency.isRandom(residency.kind()));
      residency.unmapped();
    }
  }

  /** A page is new once in a tick, to all files, and again in the next tick. */
  public void testNewPages() {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    int tick = random().nextInt(1, Integer.MAX_VALUE - 3);
    long first = random().nextLong(1L << 35);
    for (int i = 0; i < 3; i++, tick++) {
      for (int page = 0; page < 1_000; page++) {
        assertTrue("tick " + i, MappedPages.isNew(first + page, tick));
      }
      for (int page = 0; page < 1_000; page++) {
        assertFalse("tick " + i, MappedPages.isNew(first + page, tick));
      }
    }
  }

  /**
   * What an input has read is in the page table of a second mapping without advice, and no more.
   */
  public void testShowsPages() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    int page = (int) NativeCalls.pageBytes();
    Path path = createTempDir().resolve("_0.fdt");
    byte[] bytes = randomBytes(400 * page);
    Files.write(path, bytes);
    MappingCount count = new MappingCount(() -> 100, () -> 0);
    try (Reaper reaper = new Reaper()) {
      FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
      for (Level level : List.of(Level.PLENTY, Level.SCARCE)) {
        try (ChosenPressure memory = new ChosenPressure(level)) {
          IndexInput in = mapper.open(path, IOContext.DEFAULT, memory.pressure, null);
          // Other files may have lain at the same address.
          MappedPages.tick();
          in.seek(300L * page);
          assertEquals("a seek shows nothing", 1, count.live());
          assertEquals(bytes[300 * page], in.readByte());
          in.seek(0);
          assertEquals(level == Level.PLENTY ? 1 : 2, count.live());
          if (level == Level.SCARCE && Files.isReadable(SMAPS)) {
            // The kernel maps loaded pages around it, too; on a new file those are all.
            List<String> mappings = mappings(path);
            assertEquals(mappings.toString(), 2, mappings.size());
            String shown =
                mappings.stream().filter(one -> one.startsWith("normal")).findAny().get();
            long kib = Long.parseLong(shown.split(" ", -1)[1]);
            // An emulator may say 0 of all.
            boolean told = mappings.stream().anyMatch(one -> !one.endsWith(" 0"));
            assertTrue(shown, kib < 400L * page / 1024 && (kib > 0 || !told));
          }
          in.close();
          reaper.drain();
          assertEquals(0, count.live());
          if (Files.isReadable(SMAPS)) {
            assertEquals(List.of(), mappings(path));
          }
        }
      }
    }
  }

  /** The file was closed and unmapped while a thread mapped it again. */
  public void testMappedAgainTooLate() {
    MappingCount count = new MappingCount(() -> 100, () -> 0);
    MappedResidency residency = new MappedResidency(createTempDir(), null, null, null, count);
    residency.mappedAgain(MemorySegment.NULL);
    assertEquals("nothing was mapped", 1, count.live());
    residency.mappedAgain(MemorySegment.ofArray(new byte[1]));
    assertEquals(2, count.live());
    residency.unmapped();
    residency.mappedAgain(MemorySegment.ofArray(new byte[1]));
    assertEquals(0, count.live());
  }

  /** A file that was replaced before it was mapped again: its inputs are dropped. */
  public void testReleasesWhatIsMappedAgain() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    NativeCalls calls = NativeCalls.get().orElseThrow();
    long page = NativeCalls.pageBytes();
    Path path = createTempDir().resolve("_0.fdt");
    int first = random().nextInt(5, 20);
    int second = random().nextInt(1, 5);
    Files.write(path, randomBytes((int) (first * page)));
    MappedResidency residency =
        new MappedResidency(path, calls, null, null, new MappingCount(() -> 100, () -> 0));
    // Global, since nobody may unmap these addresses a second time.
    Arena arena = Arena.global();
    try (FileChannel channel = FileChannel.open(path)) {
      MemorySegment all = channel.map(MapMode.READ_ONLY, 0, first * page, arena);
      // What lies behind the second mapping belongs to others.
      MemorySegment others = channel.map(MapMode.READ_ONLY, 0, first * page, arena);
      residency.mapped(all, "_0.fdt", IOContext.DEFAULT);
      residency.mappedAgain(others.asSlice(0, second * page));
      residency.release(calls);
      byte[] kept = others.asSlice(second * page).toArray(ValueLayout.JAVA_BYTE);
      assertArrayEquals(
          Arrays.copyOfRange(Files.readAllBytes(path), (int) (second * page), (int) (first * page)),
          kept);
      residency.unmapped();
    }
  }

  /** Whoever reads and shows pages at that moment finds the file closed, and nothing else. */
  public void testClosedWhilePagesAreShown() throws Exception {
    Path path = createTempDir().resolve("_0.fdt");
    Files.write(path, randomBytes(BYTES));
    MappingCount count = new MappingCount(() -> 1_000, () -> 0);
    try (Reaper reaper = new Reaper()) {
      FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
      for (int i = 0; i < 200; i++) {
        IndexInput in = mapper.open(path, IOContext.DEFAULT, null, null);
        List<FutureTask<Void>> readers = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
          IndexInput clone = in.clone();
          readers.add(
              begin(
                  () ->
                      expectThrows(
                          AlreadyClosedException.class,
                          () -> {
                            for (int pos = 0; ; pos = (pos + 5_000) % BYTES) {
                              clone.seek(pos);
                              clone.readByte();
                              clone.clone().seek(pos);
                            }
                          })));
        }
        in.close();
        reaper.drain();
        for (FutureTask<Void> reader : readers) {
          reader.get();
        }
        assertEquals(0, count.live());
      }
    }
  }

  private static final Path SMAPS = Path.of("/proc/self/smaps");

  /** The resident bytes of each mapping of a file, and whether it has random advice. */
  private static List<String> mappings(Path file) throws IOException {
    List<String> mappings = new ArrayList<>();
    String resident = "";
    boolean isHere = false;
    for (String line : Files.readAllLines(SMAPS)) {
      if (line.contains("-") && !line.contains(":  ")) {
        isHere = line.endsWith(file.toString());
      } else if (line.startsWith("Rss:")) {
        resident = line.replaceAll("[^0-9]", "");
      } else if (isHere && line.startsWith("VmFlags:")) {
        mappings.add((line.contains(" rr") ? "random " : "normal ") + resident);
      }
    }
    return mappings;
  }
}
