// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.generators.RandomPicks;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.NumberedDocuments;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/** Loading an index into memory: all of it, whole, or not at all. */
public class LoadTest extends LibraryTestCase {

  private static final int DOCUMENTS = 60;
  private static final long LIMIT_BYTES = 64L << 20;
  private static final Logger LOG = Logger.getLogger(IndexLoader.class.getName());

  private final StringBuilder warned = new StringBuilder();

  private static RamDirectory.Builder options() {
    return RamDirectory.builder().maxBytes(LIMIT_BYTES);
  }

  /** Three commits that share files, with deletions, and with files that no commit names. */
  private static void fill(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    config.setMaxBufferedDocs(15);
    config.setUseCompoundFile(random().nextBoolean());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(NumberedDocuments.of(i, random().nextInt(500)));
        if (i == 20 || i == 40) {
          writer.deleteDocuments(new Term("number", Integer.toString(i / 2)));
          writer.addDocument(NumberedDocuments.of(i / 2, 10));
          writer.commit();
        }
      }
    }
    write(directory, "unrelated.txt", randomBytes(1_000));
  }

  private static Set<String> committedFiles(Directory directory) throws IOException {
    Set<String> names = new TreeSet<>();
    for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
      names.addAll(commit.getFileNames());
    }
    return names;
  }

  public void testLoadsEveryCommit() throws IOException {
    try (Directory source = new MappedDirectory(createTempDir())) {
      fill(source);
      Set<String> names = committedFiles(source);
      assertEquals(3, DirectoryReader.listCommits(source).size());
      try (RamDirectory loaded =
          random().nextBoolean()
              ? RamDirectory.load(source)
              : RamDirectory.load(source, options())) {
        assertEquals(names, new TreeSet<>(Arrays.asList(loaded.listAll())));
        for (String name : names) {
          assertArrayEquals(name, read(source, name), read(loaded, name));
        }
        for (IndexCommit commit : DirectoryReader.listCommits(loaded)) {
          DirectoryReader.open(commit).close();
        }
        NumberedDocuments.check(loaded, DOCUMENTS);
        CleanIndex.check(loaded);
        try (IndexWriter writer = new IndexWriter(loaded, new IndexWriterConfig())) {
          writer.addDocument(NumberedDocuments.of(DOCUMENTS, 100));
        }
        NumberedDocuments.check(loaded, DOCUMENTS + 1);
      }
      // The source is what it was.
      assertEquals(names, committedFiles(source));
    }
  }

  public void testProgress() throws IOException {
    try (Directory source = new ByteBuffersDirectory()) {
      fill(source);
      long bytes = 0;
      for (String name : committedFiles(source)) {
        bytes += source.fileLength(name);
      }
      long total = bytes;
      List<Long> steps = new ArrayList<>();
      AtomicInteger callers = new AtomicInteger();
      RamDirectory.Builder options =
          options()
              .loadProgress(
                  (_, loaded, of) -> {
                    assertEquals("one at a time", 1, callers.incrementAndGet());
                    steps.add(loaded);
                    assertEquals(total, of);
                    Thread.onSpinWait();
                    callers.decrementAndGet();
                  });
      RamDirectory.load(source, options).close();
      assertEquals(steps.stream().sorted().toList(), steps);
      assertEquals(total, (long) steps.getLast());
      assertTrue(steps.toString(), steps.size() > 1);
    }
  }

  public void testNoCommit() throws IOException {
    try (Directory source = new ByteBuffersDirectory()) {
      expectThrows(IndexNotFoundException.class, () -> RamDirectory.load(source, options()));
      write(source, "_0.fdt", new byte[100]);
      expectThrows(IndexNotFoundException.class, () -> RamDirectory.load(source, options()));
    }
  }

  /**
   * A file of the newest commit is damaged: a byte is wrong, it is shorter or longer, or it cannot
   * be read.
   */
  public void testDamagedFile() throws IOException {
    try (Directory source = new ByteBuffersDirectory()) {
      fill(source);
      for (String name : SegmentInfos.readLatestCommit(source).files(true)) {
        byte[] whole = read(source, name);
        Set<Integer> places = new TreeSet<>(List.of(0, whole.length - 1, whole.length - 12));
        for (int i = 0; i < 4; i++) {
          places.add(random().nextInt(whole.length));
        }
        for (int place : places) {
          byte[] damaged = whole.clone();
          damaged[place] ^= (byte) (1 << random().nextInt(8));
          refused(source, name, damaged);
        }
        int shorter = random().nextInt(whole.length);
        int longer = whole.length + random().nextInt(1, 100);
        for (int length : new int[] {0, shorter, whole.length - 1, longer}) {
          refused(source, name, Arrays.copyOf(whole, length));
        }
        Directory unreadable = new DamagedSource(source, name, null);
        IOException e =
            expectThrows(IOException.class, () -> RamDirectory.load(unreadable, options()).close());
        assertTrue(name + ": " + e, e.toString().contains(name));
        // A refused backing is free for the next attempt.
        expectThrows(IOException.class, () -> options().backing(unreadable).build());
        options().backing(source).build().close();
      }
    }
  }

  private static void refused(Directory source, String name, byte[] damaged) {
    Directory bad = new DamagedSource(source, name, damaged);
    IOException e =
        expectThrows(
            IOException.class,
            name + " of " + damaged.length + " bytes",
            () -> RamDirectory.load(bad, options()).close());
    assertTrue(name + ": " + e, e.toString().contains(name));
    // Lucene takes a wrong first number of the commit itself for that of an older version.
    boolean olderCommit =
        e instanceof IndexFormatTooOldException || e instanceof IndexFormatTooNewException;
    assertTrue(
        name + ": " + e,
        e instanceof CorruptIndexException || (olderCommit && name.startsWith("segments")));
  }

  /** Lucene opens the newest commit whatever happened to an older one, and so does this. */
  public void testDamagedOlderCommit() throws IOException {
    LOG.setFilter(
        record -> {
          warned.append(record.getMessage());
          return false;
        });
    try (Directory source = new ByteBuffersDirectory()) {
      fill(source);
      IndexWriterConfig config = new IndexWriterConfig();
      config.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(source, config)) {
        writer.forceMerge(1);
      }
      int commits = DirectoryReader.listCommits(source).size();
      Set<String> newest = new TreeSet<>(SegmentInfos.readLatestCommit(source).files(true));
      Set<String> older = committedFiles(source);
      older.removeAll(newest);
      assertTrue(older.toString(), older.size() > commits);
      List<String> shuffled = new ArrayList<>(older);
      Collections.shuffle(shuffled, random());
      for (String name : shuffled.subList(0, 4)) {
        byte[] whole = read(source, name);
        byte[] damaged = whole.clone();
        damaged[random().nextInt(whole.length)] ^= 1;
        byte[] torn = Arrays.copyOf(whole, random().nextInt(whole.length));
        source.deleteFile(name);
        checkNewestAlone(source, name, newest, commits);
        for (byte[] bytes : List.of(damaged, torn)) {
          checkNewestAlone(new DamagedSource(source, name, bytes), name, newest, commits);
        }
        checkNewestAlone(new DamagedSource(source, name, null), name, newest, commits);
        write(source, name, whole);
      }
      warned.setLength(0);
      try (RamDirectory loaded = RamDirectory.load(source, options())) {
        assertEquals(commits, DirectoryReader.listCommits(loaded).size());
      }
      assertEquals("", warned.toString());
    } finally {
      LOG.setFilter(null);
    }
  }

  /** Stray names that start like the name of a commit. */
  public void testStrayNames() throws IOException {
    for (String stray : List.of("segments.gen", "segments_x!", "segments_", "segmentsOld")) {
      try (Directory source = new ByteBuffersDirectory()) {
        write(source, stray, randomBytes(10));
        expectThrows(IndexNotFoundException.class, () -> RamDirectory.load(source, options()));
        source.deleteFile(stray);
        fill(source);
        write(source, stray, randomBytes(10));
        try (RamDirectory loaded = RamDirectory.load(source, options())) {
          assertEquals(3, DirectoryReader.listCommits(loaded).size());
          NumberedDocuments.check(loaded, DOCUMENTS);
        }
        options().backing(source).build().close();
      }
    }
  }

  /** Whole older commits are loaded as well, and nothing of a damaged one. */
  private void checkNewestAlone(
      Directory source, String damaged, Set<String> newest, int allCommits) throws IOException {
    warned.setLength(0);
    try (RamDirectory loaded = RamDirectory.load(source, options())) {
      List<IndexCommit> commits = DirectoryReader.listCommits(loaded);
      assertTrue(damaged + ": " + commits, commits.size() < allCommits);
      boolean known = !damaged.startsWith("segments") || names(source).contains(damaged);
      assertEquals(damaged + ": " + warned, known, warned.toString().contains("segments_"));
      Set<String> names = new TreeSet<>(newest);
      for (IndexCommit commit : commits) {
        DirectoryReader.open(commit).close();
        names.addAll(commit.getFileNames());
      }
      assertEquals(names, new TreeSet<>(Arrays.asList(loaded.listAll())));
      NumberedDocuments.check(loaded, DOCUMENTS);
      new IndexWriter(loaded, new IndexWriterConfig()).close();
    }
    List<String> before = names(source);
    try (RamDirectory backed = options().backing(source).build()) {
      NumberedDocuments.check(backed, DOCUMENTS);
      assertEquals(before, names(backed));
    }
    assertEquals(before, names(source));
  }

  /** A file that is loaded in pieces of 16 MiB; its checksum may lie across their border. */
  public void testFileOfSeveralPieces() throws IOException {
    try (Directory source = new ByteBuffersDirectory()) {
      fill(source);
      Set<String> names = committedFiles(source);
      // Lucene reads these while it looks for what to load.
      names.removeIf(file -> file.startsWith("segments") || file.endsWith(".si"));
      String name = RandomPicks.randomFrom(random(), names);
      // The last piece holds a part of the checksum, or any end of the file.
      loadPieces(source, name, (1 << 24) + random().nextInt(1, Long.BYTES));
      loadPieces(source, name, (random().nextInt(1, 3) << 24) + random().nextInt(-3, 20));
    }
  }

  private void loadPieces(Directory source, String name, int length) throws IOException {
    source.deleteFile(name);
    try (IndexOutput out = source.createOutput(name, IOContext.DEFAULT)) {
      CodecUtil.writeHeader(out, "pieces", 0);
      int bytes = length - CodecUtil.headerLength("pieces") - CodecUtil.footerLength();
      out.writeBytes(randomBytes(bytes), bytes);
      CodecUtil.writeFooter(out);
    }
    byte[] whole = read(source, name);
    assertEquals(length, whole.length);
    try (RamDirectory loaded = RamDirectory.load(source, options())) {
      assertArrayEquals(whole, read(loaded, name));
    }
    whole[random().nextInt(length)] ^= 1;
    refused(source, name, whole);
  }

  /** More than the limit: refused, and nothing stays behind. */
  public void testMoreThanTheLimit() throws IOException {
    try (Directory source = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(source, new IndexWriterConfig())) {
        for (int i = 0; i < 500; i++) {
          writer.addDocument(NumberedDocuments.of(i, 20_000));
        }
      }
      long limit = 4L << 20;
      IOException e =
          expectThrows(
              IOException.class,
              () -> RamDirectory.load(source, RamDirectory.builder().maxBytes(limit)).close());
      assertTrue(e.toString(), e.toString().contains("does not fit"));
      assertTrue(e.toString(), e.toString().contains("maxBytes=" + limit));
    }
  }

  /** A directory one of whose files has other bytes than were written, or cannot be read. */
  private static final class DamagedSource extends FilterDirectory {

    private final String damaged;
    private final byte @Nullable [] bytes;

    DamagedSource(Directory whole, String damaged, byte @Nullable [] bytes) {
      super(whole);
      this.damaged = damaged;
      this.bytes = bytes;
    }

    @Override
    public long fileLength(String name) throws IOException {
      return name.equals(damaged) && bytes != null ? bytes.length : super.fileLength(name);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (!name.equals(damaged)) {
        return super.openInput(name, context);
      }
      if (bytes == null) {
        throw new IOException("the test refuses to read: " + name);
      }
      return new ByteBuffersIndexInput(
          new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes))), name);
    }
  }
}
