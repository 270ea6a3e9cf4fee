// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.upgrade;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.NumberedDocuments;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;

/**
 * An index, a commit journal, pools and the image of a warm start that each release has written are
 * read, and are written further. {@code ./run test --lucene 10.3.2 -Dtest=UpgradeTest
 * -Dtestkit.upgrade.zip=FILE} keeps what the present code writes: the file of a new release.
 */
@LuceneTestCase.SuppressFileSystems("*") // a zip has plain files only
public class UpgradeTest extends LibraryTestCase {

  private static final List<String> RELEASES = List.of("0.1.0");

  private static final int DOCUMENTS = 20;
  private static final int DOCUMENT_BYTES = 500;
  private static final long CACHE_BYTES = 1 << 22;

  private Path folder;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    folder = createTempDir();
  }

  public void testPresentCode() throws IOException, InterruptedException {
    Path written = createTempDir();
    write(written);
    String zip = System.getProperty("testkit.upgrade.zip");
    if (zip != null) {
      pack(written, Path.of(zip));
    }
    copy(written, folder);
    checkAll();
  }

  public void testReleases() throws IOException, InterruptedException {
    for (String release : RELEASES) {
      folder = createTempDir();
      unpack(release);
      checkAll();
    }
  }

  private static void write(Path to) throws IOException {
    try (Directory directory = new HybridDirectory(to.resolve("index"))) {
      add(directory, 0, DOCUMENTS);
    }
    Path journaled = createTempDir();
    try (CommitJournal journal = CommitJournal.open(journaled.resolve("commits.journal"), 1 << 18);
        Directory files = new HybridDirectory(journaled.resolve("journaled"));
        Directory directory = new NrtCacheDirectory(files, journal)) {
      add(directory, 0, DOCUMENTS / 2);
      journal.checkpoint();
      for (int i = DOCUMENTS / 2; i < DOCUMENTS; i++) {
        add(directory, i, i + 1);
      }
      // As a crash leaves them.
      copy(journaled, to);
    }
    try (Directory directory =
        PmemDirectory.builder(to.resolve("pools")).initialBytes(1 << 20).build()) {
      add(directory, 0, DOCUMENTS);
    }
    try (BlockCache cache = BlockCache.builder().maxBytes(CACHE_BYTES).build();
        Directory directory = cached(to, cache);
        WarmStart _ = WarmStart.builder(directory).image(to.resolve("image")).start()) {
      NumberedDocuments.check(directory, DOCUMENTS);
    }
  }

  private static Directory cached(Path folder, BlockCache cache) throws IOException {
    return new BlockCacheDirectory(new NioDirectory(folder.resolve("index")), cache);
  }

  private static void add(Directory directory, int from, int to) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = from; i < to; i++) {
        writer.addDocument(NumberedDocuments.of(i, DOCUMENT_BYTES));
      }
    }
  }

  /** Checks what the folder has, and adds a document where that is possible. */
  private void checkAll() throws IOException, InterruptedException {
    checkImage();
    checkIndex();
    checkJournal();
    checkPools();
  }

  private void checkImage() throws IOException, InterruptedException {
    AtomicLong loaded = new AtomicLong();
    try (BlockCache cache = BlockCache.builder().maxBytes(CACHE_BYTES).build();
        Directory directory = cached(folder, cache);
        WarmStart warm =
            WarmStart.builder(directory)
                .image(folder.resolve("image"))
                .progress((_, bytes, _) -> loaded.set(bytes))
                .start()) {
      assertTrue(warm.awaitLoaded(Duration.ofMinutes(1)));
      assertTrue(warm + ", loaded=" + loaded, loaded.get() > DOCUMENTS * DOCUMENT_BYTES);
    }
  }

  private void checkIndex() throws IOException {
    Path index = folder.resolve("index");
    int documents = DOCUMENTS;
    for (int i = 0; i < 3; i++) {
      try (Directory directory =
          switch (i) {
            case 0 -> new HybridDirectory(index);
            case 1 -> new MappedDirectory(index);
            default -> new NioDirectory(index);
          }) {
        NumberedDocuments.check(directory, documents);
        add(directory, documents, ++documents);
      }
    }
    try (Directory files = new NioDirectory(index);
        Directory memory = RamDirectory.load(files)) {
      NumberedDocuments.check(memory, documents);
    }
  }

  private void checkJournal() throws IOException {
    Path index = folder.resolve("journaled");
    try (Directory without = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(without)) {
      assertEquals("the commit of the checkpoint", DOCUMENTS / 2, reader.numDocs());
    }
    try (CommitJournal journal = CommitJournal.open(folder.resolve("commits.journal"));
        Directory directory = new NrtCacheDirectory(new HybridDirectory(index), journal)) {
      NumberedDocuments.check(directory, DOCUMENTS);
      add(directory, DOCUMENTS, DOCUMENTS + 1);
    }
    try (Directory without = FSDirectory.open(index)) {
      NumberedDocuments.check(without, DOCUMENTS + 1);
    }
  }

  private void checkPools() throws IOException {
    for (int documents = DOCUMENTS; documents < DOCUMENTS + 2; documents++) {
      try (Directory directory =
          PmemDirectory.builder(folder.resolve("pools")).engine(PmemEngine.JDK).build()) {
        NumberedDocuments.check(directory, documents);
        add(directory, documents, documents + 1);
      }
    }
  }

  private static void pack(Path from, Path zip) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
        Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(from.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  private void unpack(String release) throws IOException {
    InputStream zip = UpgradeTest.class.getResourceAsStream(release + ".zip");
    try (ZipInputStream in = new ZipInputStream(Objects.requireNonNull(zip, release))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(in, file);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
