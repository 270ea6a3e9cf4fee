// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/** Files that are open while the level of the memory changes. */
@LuceneTestCase.SuppressFileSystems("*") // what is mapped must be a real file
public class OpenFilesTest extends LibraryTestCase {

  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  /** A file of each kind. */
  private static final List<String> NAMES =
      List.of("_0.fdt", AccessPolicyTest.RAW, "_0.doc", "_0.vec", "_0.tim");

  static final List<Level> LEVELS =
      List.of(Level.PLENTY, Level.COLD_SCARCE, Level.SCARCE, Level.VECTORS_SCARCE);

  private static final String COMPOUND = "_1.cfs";

  /** A multiple of any page size. */
  private static final int PART_BYTES = 1 << 16;

  private final AtomicLong memory = new AtomicLong();
  private final MemoryPressure pressure = new MemoryPressure(memory::get, () -> 0);
  private final MappingCount count = new MappingCount(() -> 100_000, () -> 0);
  private final Reaper reaper = new Reaper();
  private final FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
  private Path folder = Path.of("");

  @Override
  public void setUp() throws Exception {
    super.setUp();
    folder = createTempDir();
    for (String name : NAMES) {
      Files.write(folder.resolve(name), randomBytes(PART_BYTES));
    }
    Files.write(folder.resolve(COMPOUND), randomBytes(2 * NAMES.size() * PART_BYTES));
  }

  @Override
  public void tearDown() throws Exception {
    reaper.close();
    assertEquals(0, count.live());
    super.tearDown();
  }

  private IndexInput open(String name) throws IOException {
    return mapper.open(folder.resolve(name), IOContext.DEFAULT, pressure, null);
  }

  /** Opens the files within a compound file, with a gap behind each. */
  private static void openParts(IndexInput compound) throws IOException {
    for (int i = 0; i < NAMES.size(); i++) {
      compound.slice(NAMES.get(i), 2L * i * PART_BYTES, PART_BYTES, IOContext.DEFAULT);
    }
  }

  /** To a level that follows while all files are open. */
  private void change(Level level) {
    memory.set(
        switch (level) {
          case PLENTY -> 1L << 40;
          case COLD_SCARCE -> 16 * PART_BYTES; // of 15, 12 neither cold nor vectors
          case SCARCE -> 2 * PART_BYTES; // for the one file of vectors
          default -> PART_BYTES;
        });
    pressure.check();
  }

  public void testAdviceFollowsTheLevel() throws Exception {
    assumeTrue("advice needs native calls", TestMode.current().nativeAccess());
    assumeTrue(
        "the system lists no advice",
        Files.isReadable(MAPPINGS) && Files.readString(MAPPINGS).contains("VmFlags:"));
    List<IndexInput> inputs = new ArrayList<>();
    for (int round = 0; round < 16; round++) {
      Level level = LEVELS.get(round < 8 ? round % 4 : random().nextInt(LEVELS.size()));
      change(level);
      // Twice: also files that are opened at a level have its advice.
      if (round % 8 == 0) {
        for (String name : NAMES) {
          inputs.add(open(name));
        }
        IndexInput compound = open(COMPOUND);
        inputs.add(compound);
        openParts(compound);
        openParts(compound);
        // Its first opening decides, even if a later one has another kind.
        compound.slice(
            "_0.doc",
            2L * NAMES.indexOf("_0.doc") * PART_BYTES,
            PART_BYTES,
            IOContext.DEFAULT.withHints(DataAccessHint.RANDOM));
      }
      assertEquals(level, pressure.state().level());
      for (int i = 0; i < NAMES.size(); i++) {
        FileKind kind = FileKind.of(NAMES.get(i), IOContext.DEFAULT);
        String what = round + " " + level + " " + kind;
        boolean expected = level.isRandom(kind);
        requireAdvised(what, NAMES.get(i), 0, expected);
        requireAdvised(what + " within", COMPOUND, 2L * i * PART_BYTES, expected);
        requireAdvised(what + " behind", COMPOUND, (2L * i + 1) * PART_BYTES, false);
      }
    }
    IOUtils.close(inputs);
    IOUtils.close(inputs);
    requireNoneIsOpen();
  }

  /** Of all mappings of a file, at an offset, says whether the kernel knows its reads as random. */
  private void requireAdvised(String what, String name, long offset, boolean random)
      throws IOException {
    String file = folder.resolve(name).toString();
    boolean there = false;
    boolean here = false;
    for (String line : Files.readAllLines(MAPPINGS)) {
      String[] words = line.split(" +", -1);
      if (words[0].contains("-")) {
        String[] range = words[0].split("-", 2);
        long from = HexFormat.fromHexDigitsToLong(words[2]);
        long length =
            HexFormat.fromHexDigitsToLong(range[1]) - HexFormat.fromHexDigitsToLong(range[0]);
        here = line.endsWith(file) && from <= offset && offset < from + length;
        there |= here;
      } else if (here && words[0].equals("VmFlags:")) {
        assertEquals(what, random, List.of(words).contains("rr"));
      }
    }
    assertTrue(what + " is not mapped", there);
  }

  private void requireNoneIsOpen() {
    assertEquals(0, pressure.state().coldBytes());
    assertEquals(0, pressure.state().otherBytes());
    for (String name : NAMES) {
      assertFalse(name, pressure.isOpen(folder.resolve(name)));
    }
    assertFalse(pressure.isOpen(folder.resolve(COMPOUND)));
  }

  /** Some close files twice, and some drop them. */
  public void testThreadsOpenAndCloseWhileTheLevelChanges() throws Exception {
    boolean drops = TestMode.current().nativeAccess();
    List<FutureTask<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(random().nextLong());
      threads.add(begin(() -> openAndClose(random, drops)));
    }
    do {
      change(LEVELS.get(random().nextInt(LEVELS.size())));
    } while (!threads.stream().allMatch(FutureTask::isDone));
    for (FutureTask<Void> thread : threads) {
      thread.get();
    }
    await(
        () -> {
          System.gc();
          return !pressure.isOpen(folder.resolve(NAMES.getFirst()))
              && count.live() == 0
              && !isMapped();
        });
    requireNoneIsOpen();
  }

  private boolean isMapped() {
    try {
      Path all = Path.of("/proc/self/maps");
      return Files.isReadable(all) && Files.readString(all).contains(folder.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void openAndClose(Random random, boolean drops) throws IOException {
    List<IndexInput> inputs = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      if (inputs.isEmpty() || random.nextInt(10) < 5) {
        int file = random.nextInt(NAMES.size() + 1);
        if (file < NAMES.size()) {
          IndexInput in = open(NAMES.get(file));
          // Maps the file a second time if its reads are random.
          MappedPages.tick();
          in.readByte();
          in.seek(in.length());
          inputs.add(in);
        } else {
          IndexInput compound = open(COMPOUND);
          openParts(compound);
          inputs.add(compound);
        }
      } else {
        IndexInput in = inputs.remove(random.nextInt(inputs.size()));
        if (!drops || random.nextInt(20) > 0) {
          in.close();
          in.close();
        }
      }
    }
    IOUtils.close(inputs);
  }
}
