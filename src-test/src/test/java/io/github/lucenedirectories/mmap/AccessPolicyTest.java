package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.DirectMerges;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.mmap.MemoryPressure.State;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  private static State state(long otherMib, long memoryMib, int thrashing) {
    return new State(0, otherMib * MIB, memoryMib * MIB, thrashing);
  }

  public void testLevels() {
    for (int thrashing = 0; thrashing <= 2; thrashing++) {
      assertEquals(Level.PLENTY, state(90, 100, thrashing).level());
      assertEquals(Level.STARVED, state(271, 100, thrashing).level());
    }
    assertEquals(Level.SCARCE, state(91, 100, 0).level());
    assertEquals(Level.THRASHING, state(91, 100, 1).level());
    assertEquals(Level.STARVED, state(91, 100, 2).level());
    assertEquals(Level.SCARCE, state(270, 100, 0).level());
  }

  /** Raw vectors, as Lucene names their file. */
  private static final String RAW = "_0_Lucene104HnswBinaryQuantizedVectorsFormat_0.vec";

  public void testWays() {
    requireWays(state(50, 100, 2), "M M M M M M M M M");
    requireWays(state(200, 100, 0), "M R M R M P M P M");
    requireWays(state(200, 100, 1), "P P M P P P M P M");
    requireWays(state(200, 100, 2), "P P P P P P M P M");
    requireWays(state(500, 100, 0), "P P P P P P M P M");
  }

  /**
   * Of postings, stored fields, vectors, and raw vectors beside quantized ones that are opened for
   * searches, and of these and temporary vectors that a merge opens.
   */
  private static void requireWays(State memory, String ways) {
    StringBuilder found = new StringBuilder();
    addWay("_0.doc", IOContext.DEFAULT, memory, found);
    addWay("_0.fdt", STORED, memory, found);
    addWay("_0.vec", VECTORS, memory, found);
    addWay(RAW, VECTORS, memory, found);
    for (String name : List.of("_0.doc", "_0.fdt", "_0.vec", RAW, "_0_queries_1.tmp")) {
      addWay(name, MERGE, memory, found);
    }
    assertEquals(memory.toString(), ways, found.toString().strip());
  }

  private static void addWay(String name, IOContext context, State memory, StringBuilder found) {
    AccessChoice choice = new AccessPolicy(Map.of(), true).choose(name, context, memory);
    found.append(
        switch (choice.mode()) {
          case MAPPED -> " M";
          case MAPPED_RANDOM -> " R";
          case POSITIONAL -> " P";
        });
    assertFalse("the memory may change", choice.fixed());
    assertEquals(
        "opened files follow",
        choice.mode() == AccessMode.POSITIONAL,
        AccessPolicy.isByPositions(memory.level(), FileKind.of(name, context), context == MERGE));
  }

  public void testNoMemoryChangesTheseWays() {
    for (State memory : new State[] {state(50, 100, 0), state(200, 100, 1), state(500, 100, 0)}) {
      AccessChoice once =
          new AccessPolicy(Map.of(), true).choose("_0.doc", IOContext.READONCE, memory);
      AccessChoice elsewhere =
          new AccessPolicy(Map.of(), false).choose("_0.doc", IOContext.DEFAULT, memory);
      AccessChoice option =
          new AccessPolicy(Map.of("doc", AccessMode.MAPPED), true).choose("_0.doc", MERGE, memory);
      assertTrue(once.fixed() && once.mode() == AccessMode.POSITIONAL);
      assertTrue(elsewhere.fixed() && elsewhere.mode() == AccessMode.POSITIONAL);
      assertTrue(option.fixed() && option.mode() == AccessMode.MAPPED);
    }
  }

  /**
   * For which files the kernel is advised that reads are random. A search reads thousands of
   * vectors: without what lies around them each is a page fault.
   */
  public void testAdvisedKinds() {
    Advisor advisor = new Advisor(Advisor.Random.ALL);
    for (Advisor.Random random : Advisor.Random.values()) {
      advisor.change(random);
      assertEquals(random != Advisor.Random.NONE, advisor.isRandom(FileKind.STORED));
      assertEquals(random != Advisor.Random.NONE, advisor.isRandom(FileKind.RAW_VECTORS));
      assertEquals(random == Advisor.Random.ALL, advisor.isRandom(FileKind.VECTORS));
      assertEquals(random == Advisor.Random.ALL, advisor.isRandom(FileKind.OTHER));
    }
  }

  public void testFilesCountOnceWhileTheyAreOpen() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    List<Cleaner.Cleanable> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(pressure.add(this, FOLDER.resolve("_0.fdt"), FileKind.STORED, 300));
      open.add(pressure.add(this, FOLDER.resolve("_0.doc"), FileKind.OTHER, 40));
      requireOpen(pressure, 300, 40);
    }
    open.add(pressure.add(this, FOLDER.resolve("_1.vec"), FileKind.VECTORS, 5));
    requireOpen(pressure, 300, 45);
    for (int i = 0; i < 6; i++) {
      open.get(i).clean();
      open.get(i).clean();
      requireOpen(pressure, i < 4 ? 300 : 0, i < 5 ? 45 : 5);
    }
    open.get(6).clean();
    requireOpen(pressure, 0, 0);
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
            });
    List<Cleaner.Cleanable> open = new ArrayList<>();
    during.add(() -> open.add(pressure.add(this, FOLDER.resolve("_0.doc"), FileKind.OTHER, 40)));
    pressure.look();
    requireOpen(pressure, 0, 40);
    during.set(0, () -> open.getFirst().clean());
    pressure.look();
    requireOpen(pressure, 0, 0);
  }

  /** A search and a merge open a file as different kinds; or a name is used again. */
  public void testReadersDiffer() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    Path file = FOLDER.resolve("_0.dat");
    for (int i = 0; i < 4; i++) {
      long stored = i < 2 ? 100 : 0;
      List<Cleaner.Cleanable> readers =
          List.of(
              pressure.add(this, file, i < 2 ? FileKind.STORED : FileKind.OTHER, 100),
              pressure.add(this, file, FileKind.VECTORS, 700));
      requireOpen(pressure, stored, 100 - stored);
      readers.get(i % 2).clean();
      requireOpen(pressure, stored, 100 - stored);
      readers.get(1 - i % 2).clean();
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
          boolean enough = memory >= DirectMerges.LEAST_MEMORY_BYTES;
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

  public void testLevelAdvises() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    Advisor advisor = new Advisor(Advisor.Random.ALL);
    pressure.add(advisor);
    assertFalse(advisor.isRandom(FileKind.STORED));
    Cleaner.Cleanable open = pressure.add(this, FOLDER.resolve("_0.doc"), FileKind.OTHER, 901);
    assertEquals(Level.SCARCE, pressure.state().level());
    assertTrue(advisor.isRandom(FileKind.STORED));
    Advisor later = new Advisor(Advisor.Random.NONE);
    pressure.add(later);
    assertTrue(later.isRandom(FileKind.STORED));
    open.clean();
    assertEquals(Level.PLENTY, pressure.state().level());
    assertFalse(advisor.isRandom(FileKind.STORED));
  }

  public void testDroppedReadersDoNotCount() throws Exception {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    Cleaner.Cleanable unused =
        pressure.add(new Object(), FOLDER.resolve("_0.doc"), FileKind.OTHER, 901);
    assertNotNull(unused);
    await(
        () -> {
          System.gc();
          return pressure.state().otherBytes() == 0;
        });
  }
}
