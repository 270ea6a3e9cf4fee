package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.Constants;
import org.apache.lucene.util.Unwrappable;

/** What {@code HybridDirectory} chooses, and says of it. */
public class HybridDirectoryTest extends LibraryTestCase {

  private static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final long PLENTY = 1L << 40;
  private static final int FILE_BYTES = 100_000;

  private static void requireRead(
      HybridDirectory directory, byte[] bytes, IOContext context, Class<?> way) throws IOException {
    try (IndexInput in = directory.openInput("_0.fdt", context)) {
      requireRead(in, bytes, way);
      byte[] found = new byte[bytes.length];
      in.readBytes(found, 0, found.length);
      assertArrayEquals(bytes, found);
    }
  }

  /** What queries use: clones and slices. */
  private static void requireRead(IndexInput original, byte[] bytes, Class<?> way)
      throws IOException {
    for (InputView view : InputView.of(original, bytes, 7)) {
      if (view.toString().contains("context")) {
        // A file within a file goes by its own context.
        continue;
      }
      IndexInput in = view.in() == original ? original.clone() : view.in();
      assertSame(view.toString(), way, in.getClass());
      in.seek(0);
      byte[] found = new byte[view.bytes().length];
      in.readBytes(found, 0, found.length);
      assertArrayEquals(view.toString(), view.bytes(), found);
    }
  }

  public void testEverythingIsMappedWhereItFits() throws IOException {
    byte[] bytes = randomBytes(FILE_BYTES);
    try (HybridDirectory directory = open(() -> PLENTY, createRealDir())) {
      write(directory, "_0.fdt", bytes);
      requireRead(directory, bytes, IOContext.DEFAULT, SegmentIndexInput.class);
      requireRead(directory, bytes, RANDOM, SegmentIndexInput.class);
      requireRead(directory, bytes, MERGE, SegmentIndexInput.class);
      requireRead(directory, bytes, IOContext.READONCE, BlockIndexInput.class);
      requireExplained(directory, "fit");
    }
  }

  public void testMergesReadByPositionsWhereMemoryIsScarce() throws IOException {
    byte[] bytes = randomBytes(FILE_BYTES);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(() -> PLENTY, folder)) {
      write(directory, "_0.fdt", bytes);
    }
    try (HybridDirectory directory = open(() -> FILE_BYTES / 2, folder)) {
      requireRead(directory, bytes, MERGE, BlockIndexInput.class);
      requireRead(directory, bytes, IOContext.DEFAULT, SegmentIndexInput.class);
      requireRead(directory, bytes, RANDOM, SegmentIndexInput.class);
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        requireExplained(directory, "MAPPED_RANDOM", "scarce");
        try (IndexInput merged = directory.openInput("_0.fdt", MERGE)) {
          requireExplained(directory, "POSITIONAL", "merge");
          assertEquals(in.readByte(), merged.readByte());
        }
        requireExplained(directory, "MAPPED_RANDOM");
      }
    }
  }

  private static void requireExplained(HybridDirectory directory, String... words)
      throws IOException {
    String why = directory.explain("_0.fdt");
    assertTrue(why, Arrays.stream(words).allMatch(why::contains));
  }

  /** Within a compound file each file goes by its own kind. */
  public void testFilesInCompoundFiles() throws IOException {
    byte[] bytes = randomBytes(FILE_BYTES);
    try (HybridDirectory directory = open(() -> FILE_BYTES / 2, createRealDir())) {
      write(directory, "_0.cfs", bytes);
      try (IndexInput in = directory.openInput("_0.cfs", IOContext.DEFAULT)) {
        for (String name : List.of("_0.fdt", "_0.doc", "_0.vec")) {
          IndexInput searched = in.slice(name, 10, 1_000, IOContext.DEFAULT);
          assertSame(SegmentIndexInput.class, searched.clone().getClass());
          IndexInput merged = in.slice(name, 10, 1_000, MERGE);
          Class<?> way = name.equals("_0.fdt") ? BlockIndexInput.class : SegmentIndexInput.class;
          assertSame(name, way, merged.clone().getClass());
          assertEquals(bytes[10], merged.clone().readByte());
        }
      }
    }
  }

  /** Vectors and postings read around until they alone are more than three times the memory. */
  public void testStoredFieldsAreTheFirstToYield() throws IOException {
    IOContext vectors = RANDOM.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
    AtomicLong memory = new AtomicLong(PLENTY);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(memory::get, folder)) {
      write(directory, "_0.fdt", randomBytes(FILE_BYTES));
      write(directory, "_0.vec", randomBytes(FILE_BYTES));
    }
    for (String levels :
        List.of(
            PLENTY + " MAPPED MAPPED",
            3 * FILE_BYTES / 2 + " MAPPED_RANDOM MAPPED",
            FILE_BYTES / 2 + " MAPPED_RANDOM MAPPED",
            FILE_BYTES / 3 + " POSITIONAL POSITIONAL")) {
      String[] level = levels.split(" ", 3);
      memory.set(Long.parseLong(level[0]));
      try (HybridDirectory directory = open(memory::get, folder)) {
        try (IndexInput stored = directory.openInput("_0.fdt", RANDOM);
            IndexInput vector = directory.openInput("_0.vec", vectors)) {
          String fdt = directory.explain("_0.fdt");
          String vec = directory.explain("_0.vec");
          assertTrue(levels + ": " + fdt, fdt.startsWith("_0.fdt: " + level[1] + ":"));
          assertTrue(levels + ": " + vec, vec.startsWith("_0.vec: " + level[2] + ":"));
          assertEquals(stored.length(), vector.length());
        }
      }
    }
  }

  /** What the kernel was told of an open file changes with the memory. */
  public void testOpenFilesAreAdvisedAnew() throws Exception {
    assumeTrue("advice needs native calls", TestMode.current().nativeAccess());
    AtomicLong memory = new AtomicLong(PLENTY);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(memory::get, folder)) {
      write(directory, "_0.fdt", randomBytes(FILE_BYTES));
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        assertEquals(AccessMode.MAPPED, modeOf(directory));
        long before = PathCounter.NATIVE_ADVICE.count();
        // Not 0: Lucene's test framework puts small files of its own into some folders.
        memory.set(FILE_BYTES / 2);
        await(() -> PathCounter.NATIVE_ADVICE.count() != before);
        assertEquals("advised once", before + 1, PathCounter.NATIVE_ADVICE.count());
        requireExplained(directory, "_0.fdt: MAPPED_RANDOM");
        assertTrue(directory.toString(), directory.toString().contains("SCARCE"));
        in.readByte();
      }
    }
  }

  /** A file that stays open is read in the other way by the next query, there and back. */
  public void testOpenFilesChangeTheirWay() throws Exception {
    assumeFalse("files have no keys", Constants.WINDOWS);
    byte[] bytes = randomBytes(FILE_BYTES);
    AtomicLong memory = new AtomicLong(PLENTY);
    try (HybridDirectory directory = open(memory::get, createRealDir())) {
      write(directory, "_0.doc", bytes);
      try (IndexInput original = directory.openInput("_0.doc", IOContext.DEFAULT);
          IndexInput file = original.slice("file in it", 0, FILE_BYTES, IOContext.DEFAULT)) {
        original.seek(10);
        IndexInput old = original.clone();
        for (Class<?> way :
            List.of(SegmentIndexInput.class, BlockIndexInput.class, SegmentIndexInput.class)) {
          memory.set(way == BlockIndexInput.class ? FILE_BYTES / 10 : PLENTY);
          await(() -> original.clone().getClass() == way);
          requireRead(original, bytes, way);
          requireRead(file, bytes, way);
          assertEquals(10, original.clone().getFilePointer());
          assertEquals(10, original.getFilePointer());
        }
        assertSame("a query ends as it began", SegmentIndexInput.class, old.clone().getClass());
        assertEquals(bytes[10], old.readByte());
        assertEquals(bytes[10], original.readByte());
      }
    }
  }

  /** Listing all descriptors of a process with thousands would take each query milliseconds. */
  public void testChangesListNoDescriptors() throws Exception {
    assumeTrue("as without native access", TestMode.current() == TestMode.SCALAR);
    Path folder = createRealDir();
    assumeTrue("no strace here", SystemCallTrace.works(folder, "what a change of access costs"));
    List<String> calls =
        SystemCallTrace.of(folder, JavaCommand.of(List.of(), Program.class, folder.toString()));
    assertTrue(calls.stream().anyMatch(call -> call.contains("/19.doc")));
    assertTrue(calls.stream().noneMatch(call -> call.contains("/proc/self/fd")));
  }

  /** Changes how open files are read. Argument: a folder. */
  public static final class Program {
    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
      AtomicLong memory = new AtomicLong(PLENTY);
      try (HybridDirectory directory = open(memory::get, Path.of(args[0]))) {
        for (int i = 18; i < 20; i++) {
          write(directory, i + ".doc", new byte[FILE_BYTES]);
          try (IndexInput in = directory.openInput(i + ".doc", IOContext.DEFAULT)) {
            memory.set(i % 2 == 0 ? FILE_BYTES / 10 : PLENTY);
            await(() -> (in.clone() instanceof BlockIndexInput) == (memory.get() < PLENTY));
          }
        }
      }
    }
  }

  /** What is opened where memory is short is mapped as soon as it is not. */
  public void testFilesOpenedByPositionsAreMappedLater() throws Exception {
    assumeFalse("files have no keys", Constants.WINDOWS);
    byte[] bytes = randomBytes(FILE_BYTES);
    AtomicLong memory = new AtomicLong(PLENTY);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(memory::get, folder)) {
      write(directory, "_0.doc", bytes);
    }
    memory.set(FILE_BYTES / 10);
    IndexInput mapped;
    try (HybridDirectory directory = open(memory::get, folder)) {
      IndexInput closed;
      try (IndexInput original = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        requireRead(original, bytes, BlockIndexInput.class);
        memory.set(PLENTY);
        await(() -> original.clone() instanceof SegmentIndexInput);
        requireRead(original, bytes, SegmentIndexInput.class);
        mapped = original.clone();
        closed = original;
      }
      expectThrows(AlreadyClosedException.class, () -> closed.clone().readByte());
      expectThrows(AlreadyClosedException.class, () -> closed.slice("slice", 0, 1));
    }
    expectThrows(AlreadyClosedException.class, mapped::readByte);
  }

  /** Another file may have the name by then: its bytes are not this file's. */
  public void testChangesItsWayToTheSameFileOnly() throws Exception {
    byte[] bytes = randomBytes(FILE_BYTES);
    AtomicLong memory = new AtomicLong(PLENTY);
    for (boolean replaced : new boolean[] {true, false}) {
      memory.set(PLENTY);
      try (HybridDirectory directory = open(memory::get, createRealDir())) {
        write(directory, "_0.doc", bytes);
        // It tells when the directory has seen the change.
        write(directory, "_1.doc", bytes);
        try (IndexInput original = directory.openInput("_0.doc", IOContext.DEFAULT);
            IndexInput witness = directory.openInput("_1.doc", IOContext.DEFAULT)) {
          directory.deleteFile("_0.doc");
          if (replaced) {
            write(directory, "_0.doc", randomBytes(FILE_BYTES));
          }
          memory.set(FILE_BYTES / 10);
          await(() -> witness.clone() instanceof BlockIndexInput);
          requireRead(original, bytes, SegmentIndexInput.class);
          requireRead(witness, bytes, BlockIndexInput.class);
        }
      }
    }
  }

  private static AccessMode modeOf(HybridDirectory directory) throws IOException {
    try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
      assertEquals(FILE_BYTES, in.length());
      return AccessMode.valueOf(directory.explain("_0.fdt").split("[: ]+", 3)[1]);
    }
  }

  public void testOptionsDecide() throws IOException {
    byte[] bytes = randomBytes(FILE_BYTES);
    for (AccessMode mode : AccessMode.values()) {
      try (HybridDirectory directory =
          HybridDirectory.builder(createRealDir())
              .memoryBytes(() -> random().nextBoolean() ? 0 : PLENTY)
              .read("fdt", mode)
              .build()) {
        write(directory, "_0.fdt", bytes);
        Class<?> type =
            mode == AccessMode.POSITIONAL ? BlockIndexInput.class : SegmentIndexInput.class;
        requireRead(directory, bytes, IOContext.DEFAULT, type);
        requireRead(directory, bytes, RANDOM, type);
        requireRead(directory, bytes, MERGE, type);
        assertEquals(mode, modeOf(directory));
        requireExplained(directory, "not open; " + mode + ": option");
      }
    }
  }

  public void testExplainsFilesThatAreThere() throws IOException {
    try (HybridDirectory directory = open(() -> PLENTY, createRealDir())) {
      expectThrows(NoSuchFileException.class, () -> directory.explain("_0.fdt"));
      write(directory, "_0.fdt", randomBytes(10));
      assertTrue(directory.explain("_0.fdt").contains("not open"));
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        assertFalse(directory.explain("_0.fdt").contains("not open"));
        assertEquals(10, in.length());
      }
      assertTrue(directory.explain("_0.fdt").contains("not open"));
      directory.rename("_0.fdt", "_1.fdt");
      assertTrue(directory.explain("_1.fdt").contains("not open"));
      directory.deleteFile("_1.fdt");
      expectThrows(NoSuchFileException.class, () -> directory.explain("_1.fdt"));
    }
  }

  /** A cache in front of the positional side must see all that changes a file. */
  public void testWrapperSeesEveryChange() throws IOException {
    List<String> seen = new ArrayList<>();
    byte[] bytes = randomBytes(FILE_BYTES);
    try (HybridDirectory directory =
        HybridDirectory.builder(createRealDir())
            .read("fdt", AccessMode.POSITIONAL)
            .positional(side -> new Recorder(side, seen))
            .build()) {
      write(directory, "_0.fdt", bytes);
      requireRead(directory, bytes, IOContext.DEFAULT, BlockIndexInput.class);
      directory.rename("_0.fdt", "_1.fdt");
      directory.deleteFile("_1.fdt");
      directory.createTempOutput("_2", "sort", IOContext.DEFAULT).close();
    }
    assertEquals(
        List.of(
            "create _0.fdt", "open _0.fdt", "rename _0.fdt", "delete _1.fdt", "temp _2", "close"),
        seen);
  }

  private static HybridDirectory open(LongSupplier memory, Path folder) throws IOException {
    return HybridDirectory.builder(folder).memoryBytes(memory).build();
  }

  /** A folder without the layers that Lucene's test framework puts around file systems. */
  private static Path createRealDir() {
    return Unwrappable.unwrapAll(createTempDir());
  }

  private static final class Recorder extends FilterDirectory {
    private final List<String> seen;

    Recorder(Directory in, List<String> seen) {
      super(in);
      this.seen = seen;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      seen.add("open " + name);
      return super.openInput(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      seen.add("create " + name);
      return super.createOutput(name, context);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      seen.add("temp " + prefix);
      return super.createTempOutput(prefix, suffix, context);
    }

    @Override
    public void deleteFile(String name) throws IOException {
      seen.add("delete " + name);
      super.deleteFile(name);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      seen.add("rename " + source);
      super.rename(source, dest);
    }

    @Override
    public void close() throws IOException {
      seen.add("close");
      super.close();
    }
  }
}
