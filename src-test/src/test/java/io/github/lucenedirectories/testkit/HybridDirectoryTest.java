package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.core.BlockIndexInput;
import io.github.lucenedirectories.core.PathCounter;
import io.github.lucenedirectories.core.SegmentIndexInput;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.ReadWay;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.Unwrappable;
import org.junit.Rule;

/** What {@code HybridDirectory} chooses, and says of it. */
public class HybridDirectoryTest extends LuceneTestCase {

  private static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final long PLENTY = 1L << 40;
  private static final int FILE_BYTES = 100_000;

  /** Longer than the directory needs to notice a change. */
  private static final long PATIENCE_MILLIS = 20_000;

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  private static void requireRead(
      HybridDirectory directory, byte[] bytes, IOContext context, Class<?> way) throws IOException {
    try (IndexInput in = directory.openInput("_0.fdt", context)) {
      assertSame(directory.toString(), way, in.getClass());
      byte[] found = new byte[bytes.length];
      in.readBytes(found, 0, found.length);
      assertArrayEquals(bytes, found);
    }
  }

  public void testEverythingIsMappedWhereItFits() throws IOException {
    byte[] bytes = DirectorySuite.randomBytes(FILE_BYTES);
    try (HybridDirectory directory = open(() -> PLENTY, createRealDir())) {
      DirectorySuite.write(directory, "_0.fdt", bytes);
      requireRead(directory, bytes, IOContext.DEFAULT, SegmentIndexInput.class);
      requireRead(directory, bytes, RANDOM, SegmentIndexInput.class);
      requireRead(directory, bytes, MERGE, SegmentIndexInput.class);
      requireRead(directory, bytes, IOContext.READONCE, BlockIndexInput.class);
      assertTrue(directory.explain("_0.fdt"), directory.explain("_0.fdt").contains("fit"));
    }
  }

  public void testMergesReadByPositionsWhereMemoryIsScarce() throws IOException {
    byte[] bytes = DirectorySuite.randomBytes(FILE_BYTES);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(() -> PLENTY, folder)) {
      DirectorySuite.write(directory, "_0.fdt", bytes);
    }
    try (HybridDirectory directory = open(() -> FILE_BYTES / 2, folder)) {
      requireRead(directory, bytes, MERGE, BlockIndexInput.class);
      requireRead(directory, bytes, IOContext.DEFAULT, SegmentIndexInput.class);
      requireRead(directory, bytes, RANDOM, SegmentIndexInput.class);
      String why = directory.explain("_0.fdt");
      assertTrue(why, why.contains("MAPPED_RANDOM") && why.contains("scarce"));
    }
  }

  /** Vectors and postings read around until they alone are more than three times the memory. */
  public void testStoredFieldsAreTheFirstToYield() throws IOException {
    IOContext vectors = RANDOM.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
    AtomicLong memory = new AtomicLong(PLENTY);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(memory::get, folder)) {
      DirectorySuite.write(directory, "_0.fdt", DirectorySuite.randomBytes(FILE_BYTES));
      DirectorySuite.write(directory, "_0.vec", DirectorySuite.randomBytes(FILE_BYTES));
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
        directory.openInput("_0.fdt", RANDOM).close();
        directory.openInput("_0.vec", vectors).close();
        String fdt = directory.explain("_0.fdt");
        String vec = directory.explain("_0.vec");
        assertTrue(levels + ": " + fdt, fdt.startsWith("_0.fdt: " + level[1] + ":"));
        assertTrue(levels + ": " + vec, vec.startsWith("_0.vec: " + level[2] + ":"));
      }
    }
  }

  /** What the kernel was told of an open file changes with the memory. */
  public void testOpenFilesAreAdvisedAnew() throws Exception {
    assumeTrue("advice needs native calls", TestMode.current().nativeAccess());
    AtomicLong memory = new AtomicLong(PLENTY);
    Path folder = createRealDir();
    try (HybridDirectory directory = open(memory::get, folder)) {
      DirectorySuite.write(directory, "_0.fdt", DirectorySuite.randomBytes(FILE_BYTES));
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        assertEquals(ReadWay.MAPPED, wayOf(directory));
        long before = PathCounter.NATIVE_ADVICE.count();
        // Not 0: Lucene's test framework puts small files of its own into some folders.
        memory.set(FILE_BYTES / 2);
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (PathCounter.NATIVE_ADVICE.count() == before && System.nanoTime() < deadline) {
          Thread.sleep(5);
        }
        assertEquals("advised once", before + 1, PathCounter.NATIVE_ADVICE.count());
        String why = directory.explain("_0.fdt");
        assertTrue(why, why.contains("opened now, MAPPED_RANDOM"));
        assertTrue(directory.toString(), directory.toString().contains("SCARCE"));
        in.readByte();
      }
    }
  }

  private static ReadWay wayOf(HybridDirectory directory) throws IOException {
    return ReadWay.valueOf(directory.explain("_0.fdt").split("[: ]+", 3)[1]);
  }

  public void testOptionsDecide() throws IOException {
    byte[] bytes = DirectorySuite.randomBytes(FILE_BYTES);
    for (ReadWay way : ReadWay.values()) {
      try (HybridDirectory directory =
          HybridDirectory.builder(createRealDir())
              .memoryBytes(() -> random().nextBoolean() ? 0 : PLENTY)
              .read("fdt", way)
              .build()) {
        DirectorySuite.write(directory, "_0.fdt", bytes);
        Class<?> type = way == ReadWay.POSITIONAL ? BlockIndexInput.class : SegmentIndexInput.class;
        requireRead(directory, bytes, IOContext.DEFAULT, type);
        requireRead(directory, bytes, RANDOM, type);
        requireRead(directory, bytes, MERGE, type);
        assertEquals(way, wayOf(directory));
        assertTrue(directory.explain("_0.fdt").contains("option"));
      }
    }
  }

  public void testExplainsFilesThatAreThere() throws IOException {
    try (HybridDirectory directory = open(() -> PLENTY, createRealDir())) {
      expectThrows(NoSuchFileException.class, () -> directory.explain("_0.fdt"));
      DirectorySuite.write(directory, "_0.fdt", DirectorySuite.randomBytes(10));
      assertTrue(directory.explain("_0.fdt").contains("not opened yet"));
      directory.openInput("_0.fdt", IOContext.DEFAULT).close();
      assertFalse(directory.explain("_0.fdt").contains("not opened yet"));
      directory.rename("_0.fdt", "_1.fdt");
      assertTrue(directory.explain("_1.fdt").contains("not opened yet"));
      directory.deleteFile("_1.fdt");
      expectThrows(NoSuchFileException.class, () -> directory.explain("_1.fdt"));
    }
  }

  /** A cache in front of the positional side must see all that changes a file. */
  public void testWrapperSeesEveryChange() throws IOException {
    List<String> seen = new ArrayList<>();
    byte[] bytes = DirectorySuite.randomBytes(FILE_BYTES);
    try (HybridDirectory directory =
        HybridDirectory.builder(createRealDir())
            .read("fdt", ReadWay.POSITIONAL)
            .positional(side -> new Recorder(side, seen))
            .build()) {
      DirectorySuite.write(directory, "_0.fdt", bytes);
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
