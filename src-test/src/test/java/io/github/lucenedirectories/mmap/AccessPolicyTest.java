// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.mmap.MemoryPressure.State;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;

/** Which files are read in which way, from the memory, what counts for it, and their contexts. */
public class AccessPolicyTest extends LibraryTestCase {

  private static final long MIB = 1L << 20;
  private static final IOContext STORED = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext VECTORS =
      IOContext.DEFAULT.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));
  private static final Path FOLDER = Path.of("folder");

  public void testLevels() {
    assertEquals(Level.PLENTY, level(0, 90, 90));
    for (int mib : new int[] {91, 400, 401, 1_000}) {
      assertEquals(mib == 91 ? Level.COLD_SCARCE : Level.SCARCE, level(0, mib, 75));
      assertEquals(Level.VECTORS_SCARCE, level(0, mib, 76));
      Level empty = new State(0, mib * MIB, 76 * MIB, 100 * MIB, false).level();
      assertEquals(mib <= 400 ? Level.FILLING : Level.VECTORS_SCARCE, empty);
    }
    assertEquals(Level.COLD_SCARCE, level(0, 150, 75));
    assertEquals(Level.SCARCE, level(0, 151, 75));
    assertEquals(Level.COLD_SCARCE, level(16, 75, 0));
    assertEquals(Level.SCARCE, level(16, 76, 0));
    assertEquals("raw vectors", Level.COLD_SCARCE, level(99, 0, 0));
    assertEquals(Level.PLENTY, new State(0, 90 * MIB, 0, 100 * MIB, false).level());
  }

  private static Level level(long cold, long other, long vectors) {
    return new State(cold * MIB, other * MIB, vectors * MIB, 100 * MIB, true).level();
  }

  /** The page cache is full at 15 sixteenths, until a quarter of it is free again. */
  public void testPageCacheFills() {
    long[] free = {63};
    MemoryPressure pressure = new MemoryPressure(() -> 1_000, () -> free[0]);
    Path file = FOLDER.resolve("_0.doc");
    pressure.opened(file, FileKind.POSTINGS, 1_000);
    assertEquals(Level.FILLING, pressure.state().level());
    long[] later = {900, 62, 63, 250, 251, 63, 0, -1, 1_000};
    String expected = "FSSSFFSSF";
    Path other = FOLDER.resolve("_0.tim");
    for (int i = 0; i < later.length; i++) {
      free[0] = later[i];
      pressure.check();
      Level level = expected.charAt(i) == 'F' ? Level.FILLING : Level.SCARCE;
      assertEquals(later[i] + " free", level, pressure.state().level());
      pressure.opened(other, FileKind.OTHER, 1);
      pressure.closed(other);
      assertEquals(later[i] + " free, after a close", level, pressure.state().level());
    }
    pressure.closed(file);
    assertEquals(Level.PLENTY, pressure.state().level());
  }

  public void testExplains() {
    boolean advised = TestMode.current().nativeAccess();
    requireExplained("MAPPED: all files fit", new State(0, 9, 0, 10, false));
    requireExplained("MAPPED: the page cache is not", new State(0, 10, 0, 10, false));
    requireExplained("MAPPED: fits", new State(9, 7, 0, 10, true));
    requireExplained(
        advised ? "MAPPED_RANDOM: memory is scarce" : "MAPPED: no advice",
        new State(0, 10, 0, 10, true));
  }

  private static void requireExplained(String how, State memory) {
    String found = memory.explain(FileKind.POSTINGS);
    assertTrue(found, found.startsWith(how));
  }

  /** Raw vectors, as Lucene names their file. */
  static final String RAW = "_0_Lucene104HnswBinaryQuantizedVectorsFormat_0.vec";

  public void testWays() {
    requireWays(Level.PLENTY, "M M M M M M M M M M M");
    requireWays(Level.FILLING, "M M M M M M M M M M M");
    requireWays(Level.COLD_SCARCE, "M R M R M M P M P M M");
    requireWays(Level.SCARCE, "R R M R M P P M P M M");
    requireWays(Level.VECTORS_SCARCE, "R R R R M P P R P M R");
    requireWays(Level.UNKNOWN, "M R M R M M P M P M M");
  }

  /**
   * Of postings, stored fields, vectors, raw vectors beside quantized ones, and terms that are
   * opened for searches, and of these and temporary vectors that a merge opens.
   */
  private static void requireWays(Level memory, String ways) {
    StringBuilder found = new StringBuilder();
    addWay("_0.doc", IOContext.DEFAULT, memory, found);
    addWay("_0.fdt", STORED, memory, found);
    addWay("_0.vec", VECTORS, memory, found);
    addWay(RAW, VECTORS, memory, found);
    addWay("_0.tim", IOContext.DEFAULT, memory, found);
    for (String name : List.of("_0.doc", "_0.fdt", "_0.vec", RAW, "_0.tim", "_0_queries_1.tmp")) {
      addWay(name, MERGE, memory, found);
    }
    assertEquals(memory.toString(), ways, found.toString().strip());
  }

  /** OpenSearch's k-NN plugin searches its own file; the raw vectors are beside it. */
  public void testFilesOfKnn() {
    for (Level memory : Level.values()) {
      for (IOContext context : List.of(IOContext.DEFAULT, VECTORS, MERGE)) {
        for (List<String> alike :
            List.of(
                List.of("_0.vec", "_0_165_field.faiss", "_0_165_field.faissc"),
                List.of(RAW, "_0_NativeEngines990KnnVectorsFormat_0.vec"))) {
          Set<String> ways = new HashSet<>();
          for (String name : alike) {
            StringBuilder found = new StringBuilder();
            addWay(name, context, memory, found);
            ways.add(found.toString());
          }
          assertEquals(memory + " " + alike, 1, ways.size());
        }
      }
    }
  }

  /** The metric is a level's number: the dashboard and the guide must know each of them. */
  public void testLevelsAreExplained() throws IOException {
    Path dashboard = Project.root().resolve("directory-micrometer/grafana-dashboard.json");
    Matcher panel =
        Pattern.compile("\"max\": (\\d+),\\s+\"mappings\": ([^]]+)]")
            .matcher(Files.readString(dashboard));
    assertTrue(panel.find());
    List<Level> levels = List.of(Level.values());
    assertEquals("UNKNOWN is the last", levels.size() - 2, Integer.parseInt(panel.group(1)));
    String guide = Files.readString(Project.root().resolve("docs/guide/operating.md"));
    Matcher row = Pattern.compile("\\| `memory.level` \\|.*").matcher(guide);
    assertTrue(row.find());
    for (int i = 0; i < levels.size(); i++) {
      String number = "" + i;
      boolean shown = levels.get(i) != Level.UNKNOWN;
      assertEquals(number, shown, panel.group(2).contains('"' + number + "\": {"));
      assertEquals(number, shown, row.group().contains(number));
    }
  }

  private static void addWay(String name, IOContext context, Level memory, StringBuilder found) {
    AccessMode pinned = MappedFiles.choose(name, context, memory, Map.of(), true).pinned();
    assertTrue("mapped files follow", pinned == null || pinned == AccessMode.POSITIONAL);
    boolean random = memory.isRandom(FileKind.of(name, context));
    found.append(pinned != null ? " P" : random ? " R" : " M");
  }

  public void testFilesCountOnceWhileTheyAreOpen() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000, () -> 0);
    Path stored = FOLDER.resolve("_0.fdt");
    Path other = FOLDER.resolve("_0.doc");
    for (int i = 0; i < 3; i++) {
      pressure.opened(stored, FileKind.STORED, 300);
      pressure.opened(other, FileKind.POSTINGS, 40);
      requireOpen(pressure, 300, 40);
    }
    for (int i = 0; i < 3; i++) {
      assertTrue(pressure.isOpen(stored) && pressure.isOpen(other));
      pressure.closed(stored);
      requireOpen(pressure, i < 2 ? 300 : 0, 40);
      pressure.closed(other);
      requireOpen(pressure, i < 2 ? 300 : 0, i < 2 ? 40 : 0);
    }
    assertFalse(pressure.isOpen(stored) || pressure.isOpen(other));
  }

  /** Other threads open and close files while one of them checks the memory. */
  public void testFilesCountThatAreOpenedDuringACheck() {
    Thread tester = Thread.currentThread();
    List<Runnable> during = new ArrayList<>();
    MemoryPressure pressure =
        new MemoryPressure(
            () -> {
              if (Thread.currentThread() == tester) {
                during.forEach(Runnable::run);
              }
              return 1_000;
            },
            () -> 0);
    Path file = FOLDER.resolve("_0.doc");
    during.add(() -> pressure.opened(file, FileKind.OTHER, 40));
    pressure.check();
    requireOpen(pressure, 0, 40);
    during.set(0, () -> pressure.closed(file));
    pressure.check();
    requireOpen(pressure, 0, 0);
  }

  /** Where several are scarce, the least memory says how soon pages are shown again. */
  public void testLeastMemoryIsWatched() {
    Path file = FOLDER.resolve("_0.doc");
    List<MemoryPressure> all = new ArrayList<>();
    for (long memory : new long[] {1_000, 100, 700, 5_000}) {
      MemoryPressure pressure = new MemoryPressure(() -> memory, () -> 0);
      pressure.opened(file, FileKind.POSTINGS, memory == 100 ? 90 : 4_500);
      all.add(pressure);
    }
    assertEquals("plenty for 100 and 5,000", 700, MemoryWatch.leastScarceBytes());
    all.forEach(pressure -> pressure.closed(file));
    assertEquals(Long.MAX_VALUE, MemoryWatch.leastScarceBytes());
  }

  /** A search and a merge open a file as different kinds; or a name is used again. */
  public void testReadersDiffer() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000, () -> 0);
    Path file = FOLDER.resolve("_0.dat");
    for (FileKind first : List.of(FileKind.STORED, FileKind.OTHER)) {
      long stored = first == FileKind.STORED ? 100 : 0;
      pressure.opened(file, first, 100);
      pressure.opened(file, FileKind.VECTORS, 700);
      requireOpen(pressure, stored, 100 - stored);
      pressure.closed(file);
      requireOpen(pressure, stored, 100 - stored);
      pressure.closed(file);
      requireOpen(pressure, 0, 0);
    }
  }

  /** Large merges bypass the page cache where memory is scarce, but not in tiny containers. */
  public void testDirectMerges() throws IOException {
    for (long memory : new long[] {100L << 20, 300L << 20}) {
      Path folder = createTempDir();
      try (RandomAccessFile file = new RandomAccessFile(folder.resolve("_0.doc").toFile(), "rw")) {
        file.setLength(memory);
      }
      try (HybridDirectory directory =
              HybridDirectory.builder(folder).memoryBytes(() -> memory).build();
          IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        assertEquals(memory, in.length());
        try (Directory probe = NioDirectory.builder(createTempDir()).directMergeBytes(1).build()) {
          boolean enough = memory >= HybridDirectory.DIRECT_MERGE_MEMORY_BYTES;
          assertEquals(enough && isWrittenDirectly(probe), isWrittenDirectly(directory));
        }
      }
    }
  }

  private static boolean isWrittenDirectly(Directory directory) throws IOException {
    long before = PathCounter.DIRECT_WRITE_FILE.count();
    try (IndexOutput out = directory.createOutput("_1.doc", MERGE)) {
      out.writeBytes(new byte[100], 100);
    }
    return PathCounter.DIRECT_WRITE_FILE.count() > before;
  }

  private static void requireOpen(MemoryPressure pressure, long stored, long other) {
    assertEquals(stored, pressure.state().coldBytes());
    assertEquals(other, pressure.state().otherBytes());
  }

  /** Vectors that searches read, and all other hot files, each fit or not by themselves. */
  public void testPartsFit() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000, () -> 0);
    pressure.opened(FOLDER.resolve("_0.fdt"), FileKind.STORED, 900);
    pressure.opened(FOLDER.resolve("_0.doc"), FileKind.POSTINGS, 900);
    pressure.opened(FOLDER.resolve(RAW), FileKind.RAW_VECTORS, 900);
    pressure.opened(FOLDER.resolve("_0.veq"), FileKind.VECTORS, 750);
    assertEquals(Level.SCARCE, pressure.state().level());
    pressure.opened(FOLDER.resolve("_0.vex"), FileKind.VECTORS, 1);
    assertEquals(Level.VECTORS_SCARCE, pressure.state().level());
    pressure.check();
    assertEquals(Level.VECTORS_SCARCE, pressure.state().level());
    pressure.closed(FOLDER.resolve("_0.vex"));
    assertEquals(Level.SCARCE, pressure.state().level());
    pressure.closed(FOLDER.resolve("_0.doc"));
    assertEquals(Level.COLD_SCARCE, pressure.state().level());
    pressure.opened(FOLDER.resolve("_0.pos"), FileKind.POSTINGS, 700);
    pressure.opened(FOLDER.resolve("_0.tim"), FileKind.OTHER, 50);
    assertEquals(Level.COLD_SCARCE, pressure.state().level());
    pressure.opened(FOLDER.resolve("_0.nvd"), FileKind.OTHER, 1);
    assertEquals(Level.SCARCE, pressure.state().level());
    for (String name : List.of("_0.fdt", "_0.pos", "_0.tim", "_0.nvd", RAW, "_0.veq")) {
      pressure.closed(FOLDER.resolve(name));
    }
    assertEquals(Level.PLENTY, pressure.state().level());
  }
}
