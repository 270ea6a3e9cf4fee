// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.warm;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Owned;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.Constants;
import org.apache.lucene.util.IOFunction;

/** What is in memory is remembered and loaded again: of the page cache and of block caches. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class WarmStartTest extends LibraryTestCase {

  private static final int UNIT = 1 << 14;
  private static final Duration LONG = Duration.ofSeconds(30);

  private static final List<IOFunction<Path, Directory>> ON_FILES =
      List.of(
          NioDirectory::new,
          MappedDirectory::new,
          HybridDirectory::new,
          MMapDirectory::new,
          NIOFSDirectory::new,
          path -> new FilterDirectory(new FilterDirectory(new NioDirectory(path)) {}) {});

  /** Files of random contents, in part long, of all kinds. */
  private static void writeFiles(Directory directory, int most) throws IOException {
    List<String> names =
        List.of("_0.tip", "_0.tim", "_0.fdt", "_0_Lucene99_0.vec", "_0_Lucene99_0.veq", "_1.cfs");
    for (String name : names) {
      write(directory, name, randomBytes(1 + random().nextInt(most)));
    }
    directory.sync(names);
  }

  private static Map<String, BitSet> units(Directory directory) throws IOException {
    Map<String, BitSet> units = new HashMap<>();
    for (String name : directory.listAll()) {
      if (name.startsWith("_")) {
        try (PositionalFile file = WarmStart.open(directory, name)) {
          units.put(name, file.resident().orElseThrow().units());
        }
      }
    }
    return units;
  }

  private static long bytes(Directory directory) throws IOException {
    return WarmStart.residency(directory).orElseThrow().stream()
        .mapToLong(FileResidency::residentBytes)
        .sum();
  }

  private static void evictAll(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        evict(file, 0, 0);
      }
    }
  }

  private static Path realFolder() throws IOException {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = createTempDir();
    assumeFalse("in memory for good", Files.getFileStore(folder).type().contains("tmpfs"));
    return folder;
  }

  private static WarmStart loaded(WarmStart.Builder builder) throws InterruptedException {
    WarmStart warm = builder.start();
    assertTrue(warm.awaitLoaded(LONG));
    return warm;
  }

  public void testPageCache() throws Exception {
    for (IOFunction<Path, Directory> opening : ON_FILES) {
      Path folder = realFolder();
      Map<String, BitSet> before;
      try (Directory directory = opening.apply(folder)) {
        writeFiles(directory, 3 << 20);
      }
      evictAll(folder);
      for (String name : FSDirectory.listAll(folder)) {
        readSomewhere(folder.resolve(name));
      }
      try (Directory directory = opening.apply(folder)) {
        before = units(directory);
        assertFalse(before.values().stream().allMatch(BitSet::isEmpty));
        loaded(WarmStart.builder(directory)).close();
      }
      evictAll(folder);
      try (Directory directory = opening.apply(folder)) {
        // What the system still reads ahead cannot be evicted yet.
        for (int i = 0; bytes(directory) > 0; i++) {
          assertTrue("evicted in vain: " + WarmStart.residency(directory), i < 500);
          Thread.sleep(10);
          evictAll(folder);
        }
        try (WarmStart warm = loaded(WarmStart.builder(directory))) {
          assertTrue(warm.toString(), warm.toString().contains("state=\"loaded\""));
        }
        Map<String, BitSet> after = units(directory);
        long loaded = 0;
        long wanted = 0;
        for (Map.Entry<String, BitSet> file : before.entrySet()) {
          BitSet now = after.getOrDefault(file.getKey(), new BitSet());
          wanted += file.getValue().cardinality();
          loaded += now.cardinality();
          file.getValue().andNot(now);
          assertEquals(directory + " " + file.getKey(), new BitSet(), file.getValue());
        }
        // The checksums add a unit for each file; short files are loaded whole.
        assertTrue(
            directory + " " + loaded + " " + wanted, loaded <= wanted + 6 * (1 + UNIT / 1024));
      }
    }
  }

  /** Single pages at random places, and a run. */
  private static void readSomewhere(Path file) throws IOException {
    long length = Files.size(file);
    for (int i = 0; i < 20; i++) {
      read(file, random().nextLong(length), 100);
    }
    read(file, random().nextLong(length), 1 << 18);
  }

  /** Reads a range and no page more. */
  private static void read(Path file, long pos, int length) throws IOException {
    FileCalls calls = NativeCalls.get().orElseThrow().files();
    int descriptor = calls.openForRead(NativePath.of(file).orElseThrow());
    try (Arena arena = Arena.ofConfined()) {
      calls.advise(descriptor, 0, 0, FileCalls.Advice.RANDOM);
      MemorySegment error = arena.allocate(FileCalls.ERROR_STATE_BYTES);
      calls.pread(descriptor, error, arena.allocate(length), length, pos);
    } finally {
      calls.close(descriptor);
    }
  }

  public void testResidency() throws Exception {
    Path folder = realFolder();
    try (Directory directory = new NioDirectory(folder)) {
      byte[] bytes = randomBytes(40 * UNIT + 1 + random().nextInt(UNIT));
      write(directory, "_0.doc", bytes);
      directory.sync(List.of("_0.doc"));
      Path file = folder.resolve("_0.doc");
      // The kernel does not tell of a page of which only some blocks were written.
      evict(file, 0, 0);
      read(file, 0, bytes.length);
      assertEquals(
          List.of(new FileResidency("_0.doc", bytes.length, bytes.length)),
          WarmStart.residency(directory).orElseThrow());
      // A page of the third unit, two units at a border, and the end.
      evict(file, 0, 0);
      read(file, 2 * UNIT + 4096, 100);
      read(file, 7 * UNIT, 2 * UNIT);
      read(file, bytes.length - 1, 1);
      long page = NativeCalls.pageBytes();
      long end = (bytes.length - 1) % page + 1;
      assertEquals(
          List.of(new FileResidency("_0.doc", bytes.length, page + 2 * UNIT + end)),
          WarmStart.residency(directory).orElseThrow());
      BitSet units = Objects.requireNonNull(units(directory).get("_0.doc"));
      assertEquals("{2, 7, 8, " + (bytes.length - 1) / UNIT + "}", units.toString());
    }
  }

  /** Without native access, too, what is in memory is known. */
  public void testSavedInEveryMode() throws Exception {
    Path folder = createTempDir();
    try (Directory directory = new NioDirectory(folder)) {
      writeFiles(directory, 1 << 18);
      write(directory, "_9.liv", new byte[0]);
      loaded(WarmStart.builder(directory)).close();
      assertEquals(7, WarmImage.read(folder.resolve("warm-start.image")).size());
      try (WarmStart warm = loaded(WarmStart.builder(directory))) {
        assertTrue(warm.toString(), warm.toString().contains("state=\"loaded\""));
      }
    }
  }

  public void testBlockCache() throws Exception {
    Path folder = createTempDir();
    try (Directory directory = new NioDirectory(folder)) {
      writeFiles(directory, 1 << 20);
    }
    int blockBytes = 1 << (12 + random().nextInt(5));
    Map<String, BitSet> before;
    try (BlockCache cache = cache(blockBytes);
        BlockCacheDirectory directory = new BlockCacheDirectory(new NioDirectory(folder), cache)) {
      for (String name : directory.listAll()) {
        try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
          for (int i = 0; i < 5; i++) {
            in.seek(random().nextLong(in.length()));
            in.readByte();
          }
        }
      }
      before = units(directory);
      loaded(WarmStart.builder(directory)).close();
    }
    try (BlockCache cache = cache(blockBytes);
        BlockCacheDirectory directory = new BlockCacheDirectory(new NioDirectory(folder), cache)) {
      assertEquals(0, bytes(directory));
      List<Long> left = new ArrayList<>();
      try (WarmStart warm =
          loaded(
              WarmStart.builder(directory)
                  .progress((_, bytes, total) -> left.add(total - bytes)))) {
        assertTrue(warm.toString(), warm.toString().contains("state=\"loaded\""));
      }
      assertEquals(before, units(directory));
      assertEquals(0, metric(cache, "cache.misses"));
      assertEquals(0L, (long) left.getLast());
    }
    // Blocks of another length are of no use.
    try (BlockCache cache = cache(2 * blockBytes);
        BlockCacheDirectory directory = new BlockCacheDirectory(new NioDirectory(folder), cache);
        WarmStart warm = loaded(WarmStart.builder(directory))) {
      assertEquals(0, bytes(directory));
      assertTrue(warm.toString(), warm.toString().contains("totalBytes=0"));
    }
  }

  private static BlockCache cache(int blockBytes) throws IOException {
    return BlockCache.builder().maxBytes(16 << 20).blockBytes(blockBytes).build();
  }

  private static Directory cached(Path folder) throws IOException {
    return Owned.over(
        cache(UNIT), cache -> new BlockCacheDirectory(new NioDirectory(folder), cache));
  }

  /** Everything of a few files through a cache, and its image. */
  private static void fillAndSave(Path folder, int most) throws Exception {
    try (Directory directory = cached(folder)) {
      writeFiles(directory, most);
      for (String name : directory.listAll()) {
        read(directory, name);
      }
      loaded(WarmStart.builder(directory)).close();
    }
  }

  public void testMemoryIsABound() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 20);
    // By the user and by the cache.
    for (int i = 0; i < 40; i++) {
      int bound = i % 2;
      long most = random().nextInt(1 << 20);
      long inCache = Math.max(UNIT, most);
      try (BlockCache cache =
              BlockCache.builder()
                  .blockBytes(UNIT)
                  .maxBytes(bound == 1 ? inCache : 16 << 20)
                  .build();
          Directory directory = new BlockCacheDirectory(new NioDirectory(folder), cache)) {
        WarmStart.Builder builder = WarmStart.builder(directory).image(folder.resolve("other"));
        Files.copy(
            folder.resolve("warm-start.image"),
            folder.resolve("other"),
            StandardCopyOption.REPLACE_EXISTING);
        try (WarmStart warm = loaded(bound == 0 ? builder.memoryBytes(() -> most) : builder)) {
          assertTrue(warm.toString(), bytes(directory) <= Math.max(most, bound == 0 ? 0 : inCache));
          assertEquals(0, metric(cache, "cache.evictions"));
          if (!warm.toString().contains("state=\"loaded\"")) {
            assertTrue(warm.toString(), warm.toString().contains("memory is full"));
          }
        }
      }
    }
  }

  /** A folder with the name of an index file, and one in place of the image. */
  public void testFoldersInTheWay() throws Exception {
    Path folder = realFolder();
    Files.createDirectory(folder.resolve("segments.bak"));
    Path images = createTempDir();
    Path inTheWay = images.resolve("image");
    try (Directory directory = new NioDirectory(folder)) {
      write(directory, "_0.doc", randomBytes(4 * UNIT));
      loaded(WarmStart.builder(directory)).close();
      assertTrue(Files.exists(folder.resolve("warm-start.image")));
      try (WarmStart _ = loaded(WarmStart.builder(directory).image(inTheWay))) {
        Files.createDirectories(inTheWay.resolve("other"));
      }
    }
    try (var left = Files.list(images)) {
      assertEquals(1, left.count());
    }
  }

  /** Where memory is short, the hot kinds are loaded, and in each file the beginning. */
  public void testOrder() throws Exception {
    Path folder = createTempDir();
    List<String> order =
        List.of(
            "_0.tip", "_0.tim", "_0_a.veq", "_1_a.vec", "_0.fdt", "_0.tvd", "_0_Quantized_0.vec");
    try (Directory directory = cached(folder)) {
      for (String name : order) {
        write(directory, name, randomBytes(4 * UNIT));
        read(directory, name);
      }
      loaded(WarmStart.builder(directory)).close();
    }
    for (int units = 0; units <= 4 * order.size(); units += 1 + random().nextInt(5)) {
      long most = (long) units * UNIT;
      try (Directory directory = cached(folder);
          WarmStart warm =
              loaded(
                  WarmStart.builder(directory)
                      .image(
                          Files.copy(
                              folder.resolve("warm-start.image"), createTempDir().resolve("image")))
                      .memoryBytes(() -> most))) {
        Map<String, Long> resident = new HashMap<>();
        WarmStart.residency(directory)
            .orElseThrow()
            .forEach(file -> resident.put(file.name(), file.residentBytes()));
        int whole = units / 4;
        for (int i = 0; i < order.size(); i++) {
          assertEquals(
              warm + " " + order.get(i),
              i < whole ? 4L * UNIT : 0,
              (long) resident.getOrDefault(order.get(i), -1L));
        }
      }
    }
  }

  /** Names of the image that are gone, shorter, or other files are skipped, the rest is loaded. */
  public void testStale() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 18);
    try (Directory directory = cached(folder)) {
      directory.deleteFile("_0.tip");
      long length = directory.fileLength("_0.tim");
      directory.deleteFile("_0.tim");
      write(directory, "_0.tim", randomBytes((int) length));
      directory.deleteFile("_0.fdt");
      write(directory, "_0.fdt", new byte[3]);
      try (WarmStart warm = loaded(WarmStart.builder(directory))) {
        assertTrue(warm.toString(), warm.toString().contains("state=\"loaded\""));
      }
      for (FileResidency file : WarmStart.residency(directory).orElseThrow()) {
        boolean changed = List.of("_0.tim", "_0.fdt").contains(file.name());
        assertEquals(file.toString(), changed ? 0 : file.bytes(), file.residentBytes());
      }
    }
  }

  /** Whatever lies where the image should be: the directory works, and a new image replaces it. */
  public void testDamaged() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 16);
    Path image = folder.resolve("warm-start.image");
    byte[] good = Files.readAllBytes(image);
    List<byte[]> bad =
        List.of(
            new byte[0],
            randomBytes(1_000),
            Arrays.copyOf(good, random().nextInt(good.length)),
            new byte[(1 << 24) + 1]);
    for (byte[] bytes : bad) {
      Files.write(image, bytes);
      try (Directory directory = cached(folder)) {
        try (WarmStart warm = loaded(WarmStart.builder(directory))) {
          assertTrue(warm.toString(), warm.toString().contains("the image "));
          assertEquals(0, bytes(directory));
          read(directory, "_0.tim");
        }
        assertFalse(image(folder).getOrDefault("_0.tim", new BitSet()).isEmpty());
      }
    }
  }

  private static Map<String, BitSet> image(Path folder) throws IOException {
    Map<String, BitSet> units = new HashMap<>();
    WarmImage.read(folder.resolve("warm-start.image"))
        .forEach((name, file) -> units.put(name, file.units()));
    return units;
  }

  /** A close ends the loading at once; what is not loaded yet is not forgotten. */
  public void testCloseWhileLoading() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 20);
    Map<String, BitSet> before = image(folder);
    try (Directory directory = cached(folder)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      AtomicInteger pieces = new AtomicInteger();
      WarmStart warm =
          WarmStart.builder(directory)
              .progress(
                  (name, bytes, total) -> {
                    pieces.incrementAndGet();
                    begun.countDown();
                    awaitUninterruptibly(goOn);
                  })
              .start();
      begun.await();
      assertFalse(warm.awaitLoaded(Duration.ofMillis(1)));
      var closing =
          start(
              () -> {
                warm.close();
                return 0;
              });
      await(
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .anyMatch(
                      t ->
                          t.getName().equals("started-by-test")
                              && t.getState() == Thread.State.WAITING));
      goOn.countDown();
      closing.get();
      assertEquals(1, pieces.get());
      assertTrue(warm.toString(), warm.toString().contains("closed while loading"));
    }
    assertEquals(before, image(folder));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public void testListenerThatCloses() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 18);
    try (Directory directory = cached(folder)) {
      WarmStart[] itself = new WarmStart[1];
      CountDownLatch set = new CountDownLatch(1);
      itself[0] =
          WarmStart.builder(directory)
              .progress(
                  (_, _, _) -> {
                    awaitUninterruptibly(set);
                    itself[0].close();
                  })
              .start();
      set.countDown();
      assertTrue(itself[0].awaitLoaded(LONG));
      itself[0].close();
    }
  }

  /** An error of a listener is told once and does not keep the image from being saved. */
  public void testListenersError() throws Exception {
    Path folder = createTempDir();
    fillAndSave(folder, 1 << 18);
    Map<String, BitSet> before = image(folder);
    AtomicInteger logged = new AtomicInteger();
    Logger logger = Logger.getLogger(WarmStart.class.getName());
    logger.setFilter(
        record -> {
          assertTrue(record.getMessage(), record.getMessage().contains("StackOverflowError"));
          logged.incrementAndGet();
          return false;
        });
    try (Directory directory = cached(folder)) {
      WarmStart warm =
          loaded(
              WarmStart.builder(directory)
                  .progress(
                      (_, _, _) -> {
                        throw new StackOverflowError("user's");
                      }));
      assertTrue(warm.toString(), warm.toString().contains("user's"));
      Files.delete(folder.resolve("warm-start.image"));
      warm.close();
      assertTrue(warm.toString(), warm.toString().contains("saved=\"saved\""));
    } finally {
      logger.setFilter(null);
    }
    assertEquals(1, logged.get());
    assertEquals(before, image(folder));
  }

  /** Two of the same image do not disturb each other. */
  public void testSharedImage() throws Exception {
    Path folder = createTempDir();
    Path image = createTempDir().resolve("image");
    try (Directory directory = new NioDirectory(folder)) {
      writeFiles(directory, 1 << 12);
      WarmStart.Builder builder =
          WarmStart.builder(directory).image(image).saveEvery(Duration.ofNanos(1));
      try (WarmStart one = builder.start();
          WarmStart two = builder.start()) {
        for (int i = 0; i < 200; i++) {
          Thread.sleep(1);
          requireNoFailure(one);
          requireNoFailure(two);
        }
      }
      assertEquals(6, WarmImage.read(image).size());
    }
  }

  private static void requireNoFailure(WarmStart warm) {
    assertFalse(warm.toString(), warm.toString().contains("cannot save"));
  }

  /** What blocks who opens it, and what an image cannot or must not replace, is no image. */
  public void testNoRegularFile() throws Exception {
    assumeTrue("needs pipes", Constants.LINUX);
    Path folder = createTempDir();
    Path pipe = folder.resolve("pipe");
    Path temporary = folder.resolve("image.tmp");
    for (Path path : List.of(pipe, temporary)) {
      assertEquals(0, new ProcessBuilder("mkfifo", "" + path).start().waitFor());
    }
    // Who opens a pipe whose other end is open does not wait for ever.
    try (RandomAccessFile _ = new RandomAccessFile(pipe.toFile(), "rw");
        RandomAccessFile _ = new RandomAccessFile(temporary.toFile(), "rw");
        Directory directory = new NioDirectory(folder)) {
      write(directory, "_0.doc", randomBytes(UNIT));
      for (Path path : List.of(pipe, folder)) {
        WarmStart.Builder builder = WarmStart.builder(directory).image(path);
        IllegalArgumentException e =
            expectThrows(IllegalArgumentException.class, () -> builder.start());
        assertTrue("" + e, String.valueOf(e.getMessage()).contains("regular file"));
      }
      Path image = folder.resolve("image");
      WarmStart.builder(directory).image(image).start().close();
      assertTrue("not a regular file", Files.isRegularFile(image));
      assertEquals(1, WarmImage.read(image).size());
    }
  }

  /** Images are saved while the warm start is open; a failure is logged once and reaches nobody. */
  public void testSaves() throws Exception {
    Path folder = createTempDir();
    Path image = folder.resolve("missing").resolve("image");
    AtomicInteger logged = new AtomicInteger();
    Logger logger = Logger.getLogger(WarmStart.class.getName());
    logger.setFilter(
        _ -> {
          logged.incrementAndGet();
          return false;
        });
    try (Directory directory = new NioDirectory(folder)) {
      writeFiles(directory, 1 << 18);
      try (WarmStart warm =
          WarmStart.builder(directory).image(image).saveEvery(Duration.ofNanos(1)).start()) {
        await(() -> warm.toString().contains("cannot save"));
        // Time for some more that fail.
        Thread.sleep(100);
        Files.createDirectory(image.getParent());
        await(() -> Files.exists(image));
        await(() -> warm.toString().contains("saved=\"saved\""));
      }
    }
    // A directory that was closed before: the image stays.
    byte[] last = Files.readAllBytes(image);
    Directory closed = new NioDirectory(folder);
    try (WarmStart _ = loaded(WarmStart.builder(closed).image(image))) {
      closed.close();
    }
    assertArrayEquals(last, Files.readAllBytes(image));
    logger.setFilter(null);
    assertEquals(2, logged.get());
  }

  /** Others' reads from devices make room for themselves, up to 64 ms; none cost nothing. */
  public void testPauses() {
    int bytes = 1 << random().nextInt(14, 19);
    long took = random().nextLong(100_000, 20_000_000);
    assertEquals("own bytes", 0, WarmStart.pauseNanos(took, bytes, bytes));
    assertEquals("loaded by others", 0, WarmStart.pauseNanos(took, bytes, 0));
    assertEquals("as many", took / 2, WarmStart.pauseNanos(took, bytes, 2L * bytes));
    long single = WarmStart.pauseNanos(took, bytes, bytes + bytes / 8);
    assertEquals("an eighth", took / 16, single);
    assertEquals("most", 64_000_000, WarmStart.pauseNanos(took, bytes, 10_000L * bytes));
  }

  public void testRefused() throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        BlockCache cache = cache(UNIT);
        Directory cached = new BlockCacheDirectory(directory, cache)) {
      expectThrows(IllegalArgumentException.class, () -> WarmStart.builder(directory).start());
      expectThrows(IllegalArgumentException.class, () -> WarmStart.residency(directory));
      expectThrows(IllegalArgumentException.class, () -> WarmStart.builder(cached).start());
      WarmStart.builder(cached).image(createTempDir().resolve("image")).start().close();
    }
  }

  private static void addDocuments(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      document.add(new TextField("body", "word" + i + " typical words", Field.Store.YES));
      document.add(new KnnFloatVectorField("vector", new float[] {i, 1, 2}));
      writer.addDocument(document);
    }
  }

  /** The image is no file of the index: no writer deletes it, no commit and no copy contains it. */
  public void testLuceneIgnoresTheImage() throws Exception {
    Path folder = createTempDir();
    for (boolean cached : new boolean[] {false, true}) {
      Path image = folder.resolve("warm-start.image");
      try (BlockCache cache = cache(UNIT);
          Directory files = new NioDirectory(folder);
          Directory directory = cached ? new BlockCacheDirectory(files, cache) : files) {
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
            WarmStart warm = WarmStart.builder(directory).start()) {
          addDocuments(writer, 10);
          writer.commit();
          assertTrue(warm.awaitLoaded(LONG));
        }
        byte[] saved = Files.readAllBytes(image);
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
          addDocuments(writer, 10);
          writer.forceMerge(1);
          writer.commit();
          writer.deleteUnusedFiles();
        }
        try (CheckIndex check = new CheckIndex(directory)) {
          assertTrue(check.checkIndex().clean);
        }
        for (var commit : DirectoryReader.listCommits(directory)) {
          assertFalse(commit.getFileNames().toString().contains("warm-start"));
        }
        try (Directory copy = new ByteBuffersDirectory();
            IndexWriter writer = new IndexWriter(copy, new IndexWriterConfig())) {
          writer.addIndexes(directory);
          writer.commit();
          assertFalse(Arrays.toString(copy.listAll()).contains("warm-start"));
        }
        new IndexWriter(
                directory, new IndexWriterConfig().setOpenMode(IndexWriterConfig.OpenMode.CREATE))
            .close();
        assertArrayEquals(saved, Files.readAllBytes(image));
        WarmStart.residency(directory)
            .orElseThrow()
            .forEach(file -> assertFalse(file.name().contains("warm-start")));
      }
    }
  }
}
