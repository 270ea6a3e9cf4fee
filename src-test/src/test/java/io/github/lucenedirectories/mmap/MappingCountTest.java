// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.testkit.ForbiddenFiles;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Mappings stay below what the system allows, and are counted until they are gone. */
@LuceneTestCase.SuppressFileSystems("*") // what is mapped must be a real file
public class MappingCountTest extends LibraryTestCase {

  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  /** Warns once, names the command that helps, and notices a raised limit. */
  public void testWarnings() {
    AtomicLong allowed = new AtomicLong(100);
    MappingCount count = new MappingCount(allowed::get, () -> 0);
    Logger logger = Logger.getLogger(MappingCount.class.getName());
    List<String> warnings = new ArrayList<>();
    logger.setFilter(
        record -> {
          warnings.add(record.getMessage());
          return false;
        });
    try {
      for (int live = 0; live < 120; live++) {
        assertEquals("live=" + live, live < 75, count.hasRoom());
        assertEquals("live=" + live, live < 75 ? 0 : 1, warnings.size());
        count.add(1);
      }
    } finally {
      logger.setFilter(null);
    }
    String remedy = "sysctl -w vm.max_map_count=400 (mappings=";
    requireSaid(warnings.getFirst(), "files will be read with pread", remedy);
    assertFalse(count.hasRoom());
    allowed.set(400);
    assertTrue(count.hasRoom());
    requireSaid(count.remedy(), "vm.max_map_count=1600 (mappings=120");
    allowed.set(Integer.MAX_VALUE);
    count.add(Integer.MAX_VALUE);
    assertFalse(count.hasRoom());
    requireSaid(count.remedy(), "vm.max_map_count=2147483647 (");
  }

  private static void requireSaid(String message, String... parts) {
    assertTrue(message, List.of(parts).stream().allMatch(message::contains));
  }

  /** A mapping that the system refuses: what is exhausted, and what to do about it. */
  public void testNoAddressesLeft() throws IOException {
    Path huge = createTempDir().resolve("huge");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(15L << 40);
    } catch (IOException e) {
      assumeNoException("the file system knows no files of 15 TiB", e);
    }
    MappingCount count = new MappingCount(() -> 1_000, () -> 0);
    List<IndexInput> inputs = new ArrayList<>();
    try (Reaper reaper = new Reaper()) {
      FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
      IOException refusal =
          expectThrows(
              IOException.class,
              () -> {
                while (inputs.size() < 1_000) {
                  inputs.add(mapper.open(huge, IOContext.DEFAULT, null, null));
                }
              });
      requireSaid(
          refusal.toString(),
          "cannot map: length=" + (15L << 40),
          huge.toString(),
          "ulimit -v unlimited",
          "sysctl -w vm.max_map_count=4000");
      for (IndexInput in : inputs) {
        in.close();
      }
      reaper.drain();
    }
    assertEquals(0, count.live());
  }

  public void testReadsTheSetting() throws IOException {
    Path setting = Files.writeString(createTempFile(), "1234\n");
    assertEquals(1234, MappingCount.allowed(setting));
    Files.writeString(setting, "no number");
    assertEquals(65_530, MappingCount.allowed(setting));
    assertEquals(65_530, MappingCount.allowed(setting.resolveSibling("none")));
    // Where the system has no such limit, all is mapped, and no message says to raise it.
    MappingCount count = new MappingCount(() -> MappingCount.NO_LIMIT, () -> 0);
    count.add(10_000_000);
    assertTrue(count.hasRoom());
    assertEquals("mappings=10000000", count.remedy());
  }

  /**
   * Mappings of others, of another library say, count as well. The directories' own are among all
   * that the system lists, and count once.
   */
  public void testOthersCount() throws IOException {
    AtomicLong others = new AtomicLong(49);
    MappingCount count = new MappingCount(() -> 100, others::get);
    assertTrue(count.hasRoom());
    count.add(26);
    assertFalse(count.hasRoom());
    others.set(0);
    assertFalse("not counted for each file", count.hasRoom());
    MappingCount own = new MappingCount(() -> 100, () -> 40);
    own.add(30);
    assertTrue(own.hasRoom());
    requireSaid(own.remedy(), "(mappings=40,");
    int lines = random().nextInt(20_000);
    Path listed = Files.writeString(createTempFile(), "some mapping\n".repeat(lines));
    assertEquals(lines, MappingCount.lines(listed));
    assertEquals(0, MappingCount.lines(listed.resolveSibling("none")));
  }

  /** What may not be read counts as hidden; a file that may be read is mapped all the same. */
  public void testForbidden() throws IOException {
    Path file = Files.writeString(createTempFile(), "1234\n");
    Path forbidden = ForbiddenFiles.of(file);
    assertEquals(65_530, MappingCount.allowed(forbidden));
    assertEquals(0, MappingCount.lines(forbidden));
    MappingCount count = new MappingCount(() -> 100, () -> 0);
    new MappedResidency(forbidden, null, null, null, count).unmapped();
    assertEquals(0, count.live());
  }

  /** The kernel's own list agrees, where the system has one: files, and files in compound files. */
  public void testCountsWhatTheKernelCounts() throws Exception {
    Path folder = createTempDir();
    boolean nativeCalls = NativeCalls.get().isPresent();
    List<Level> levels = List.of(Level.PLENTY, Level.SCARCE, Level.SCARCE, Level.PLENTY);
    for (int run = 0; run < 4; run++) {
      AccessMode pinned = run == 0 ? AccessMode.MAPPED_RANDOM : null;
      MappingCount count = new MappingCount(() -> 1_000, () -> 0);
      List<IndexInput> inputs = new ArrayList<>();
      try (ChosenPressure memory = new ChosenPressure(levels.get(run));
          Reaper reaper = new Reaper();
          Directory files = newFSDirectory(folder)) {
        FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
        for (int i = 0; i < 20; i++) {
          String name = run + "_" + i + ".cfs";
          write(files, name, randomBytes(100_000));
          Path file = folder.resolve(name);
          inputs.add(mapper.open(file, IOContext.DEFAULT, memory.pressure, pinned));
          assertEquals(i + 1, count.live());
        }
        // What Lucene opens of a compound segment, twice: the file with documents may be advised.
        for (int opened = 0; opened < 2; opened++) {
          for (String part : List.of("_0.fdt", "_0.doc", "_0.dvd", "_0.tim", "_0.nvd", "_0.vec")) {
            IOContext context =
                IOContext.DEFAULT.withHints(
                    part.equals("_0.fdt") ? DataAccessHint.RANDOM : FileTypeHint.DATA);
            IndexInput in = inputs.getFirst().slice(part, 20_000, 40_000, context);
            // Other files may have lain at the same address.
            MappedPages.tick();
            // Shows what it has read when it leaves the page, if the kernel does not see it.
            in.readBytes(new byte[10], 0, 10);
            in.seek(30_000);
          }
        }
        boolean splits = nativeCalls && levels.get(run) == Level.SCARCE;
        int again = nativeCalls && (levels.get(run) == Level.SCARCE || pinned != null) ? 1 : 0;
        assertEquals((splits ? 22 : 20) + again, count.live());
        if (Files.isReadable(MAPPINGS)) {
          assertEquals(count.live(), mapped(folder));
          if (run % 2 == 0) {
            memory.change(Level.PLENTY);
            assertEquals(20 + again, count.live());
            assertEquals(20 + again, mapped(folder));
          }
        }
        for (IndexInput in : inputs) {
          in.close();
        }
        reaper.drain();
        assertEquals(0, count.live());
      }
    }
  }

  private static long mapped(Path folder) throws IOException {
    return Files.readAllLines(MAPPINGS).stream()
        .filter(line -> line.contains(folder.toString()))
        .count();
  }

  /** All bytes are in memory when the file is open. */
  public void testPreload() throws IOException {
    byte[] bytes = randomBytes(40 << 20);
    Path folder = createTempDir();
    Files.write(folder.resolve("_0.vec"), bytes);
    try (MappedDirectory directory =
            MappedDirectory.builder(folder).preload(Set.of("vec")).build();
        IndexInput in = directory.openInput("_0.vec", IOContext.DEFAULT)) {
      assertTrue(in.isLoaded().orElse(true));
      in.seek(12_345);
      assertEquals(bytes[12_345], in.readByte());
    }
  }
}
