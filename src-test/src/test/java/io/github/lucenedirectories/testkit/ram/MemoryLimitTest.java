package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.junit.Rule;

/** {@code RamDirectory} at its limit: what the error says, and what stays whole. */
public class MemoryLimitTest extends LuceneTestCase {

  private static final String NAME = "small-directory";
  private static final long LIMIT_BYTES = 16L << 20;
  private static final int MOST_DOCUMENT_BYTES = 40_000;

  private static final long PATIENCE_MILLIS = 10_000;

  /** Where memory is allocated, a file is there twice when it is completed. */
  private static final int COPIES = TestMode.current().nativeAccess() ? 1 : 2;

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  private static RamDirectory open(HugePages pages) throws IOException {
    return RamDirectory.builder().name(NAME).maxBytes(LIMIT_BYTES).hugePages(pages).build();
  }

  public void testIndexUntilTheLimit() throws Exception {
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory = open(pages);
          UsageSampler _ = new UsageSampler(directory)) {
        for (int round = 0; round < 3; round++) {
          Set<Integer> committed = indexUntilTheLimit(directory);
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            assertTrue(committed + ": " + reader, committed.contains(reader.numDocs()));
            NumberedDocuments.check(reader, reader.numDocs());
          }
          CleanIndex.check(directory);
          // Without its old content there is room again.
          IndexWriterConfig anew = new IndexWriterConfig().setOpenMode(OpenMode.CREATE);
          try (IndexWriter writer = new IndexWriter(directory, anew)) {
            writer.addDocument(NumberedDocuments.of(0, 100));
            writer.commit();
          }
          CleanIndex.check(directory);
        }
      }
    }
  }

  /**
   * Returns how many documents the last commit may hold. A merge that a commit starts may fail when
   * the commit is published already; the commit then throws.
   */
  private static Set<Integer> indexUntilTheLimit(RamDirectory directory) throws IOException {
    RecordingMergeScheduler merges = new RecordingMergeScheduler();
    IndexWriterConfig config = new IndexWriterConfig().setMergeScheduler(merges);
    config.setOpenMode(OpenMode.CREATE).setCommitOnClose(false);
    config.setMaxBufferedDocs(random().nextInt(2, 40));
    config.setUseCompoundFile(random().nextBoolean());
    int documents = 0;
    int committed = 0;
    int tried = 0;
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      // The commit before is needed no more, and takes part of the room.
      writer.commit();
      while (documents < 100_000) {
        int bytes = random().nextInt(1, MOST_DOCUMENT_BYTES);
        writer.addDocument(NumberedDocuments.of(documents++, bytes));
        if (random().nextInt(30) == 0) {
          tried = documents;
          writer.commit();
          committed = documents;
        }
      }
      throw new AssertionError("no limit: " + directory.memoryUsage());
    } catch (IOException | IllegalStateException e) {
      merges.failures().forEach(e::addSuppressed);
      MemoryLimitReached.in(e, NAME, LIMIT_BYTES);
      return Set.copyOf(List.of(committed, tried));
    }
  }

  /** The half-written file is gone at once and its memory free, also when this goes on for long. */
  public void testOneFileUntilTheLimit() throws Exception {
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory = open(pages);
          UsageSampler _ = new UsageSampler(directory)) {
        byte[] kept = DirectorySuite.randomBytes(1_000_000);
        DirectorySuite.write(directory, "kept", kept);
        long used =
            TestMode.current().nativeAccess() ? directory.memoryUsage().usedBytes() : kept.length;
        for (int i = 0; i < 50; i++) {
          writeUntilTheLimit(directory, "file" + i);
          requireUsed(used, directory);
          assertEquals(List.of("kept"), DirectorySuite.names(directory));
          assertArrayEquals(kept, DirectorySuite.read(directory, "kept"));
        }
      }
    }
  }

  /** Where memory is allocated, what was released waits for a background thread. */
  private static void requireUsed(long used, RamDirectory directory) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (directory.ramBytesUsed() != used && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    assertEquals(used, directory.ramBytesUsed());
  }

  private static void writeUntilTheLimit(RamDirectory directory, String name) throws IOException {
    byte[] piece = DirectorySuite.randomBytes(random().nextInt(1, 300_000));
    IndexOutput out = directory.createOutput(name, IOContext.DEFAULT);
    IOException e =
        expectThrows(
            IOException.class,
            () -> {
              try (out) {
                while (out.getFilePointer() <= LIMIT_BYTES) {
                  out.writeBytes(piece, piece.length);
                }
              }
            });
    assertEquals(name, MemoryLimitReached.in(e, NAME, LIMIT_BYTES).file());
    // Most of the limit was there to be used.
    long written = out.getFilePointer();
    assertTrue("written=" + written, written > LIMIT_BYTES / 2 / COPIES);
    try {
      directory.deleteFile(name);
    } catch (NoSuchFileException expected) {
      assertTrue(expected.toString(), expected.toString().contains(name));
    }
  }

  /** What was deleted counts no longer, however fast the next file comes. */
  public void testNoErrorWhileDeletedMemoryWaits() throws Exception {
    byte[] bytes = DirectorySuite.randomBytes((int) (LIMIT_BYTES * 6 / 10 / COPIES));
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory = open(pages);
          UsageSampler _ = new UsageSampler(directory)) {
        for (int i = 0; i < 60; i++) {
          DirectorySuite.write(directory, "file", bytes);
          try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
            IndexInput stale = in.clone();
            in.seek(random().nextInt(bytes.length));
            int pos = (int) in.getFilePointer();
            assertEquals(bytes[pos], in.readByte());
            assertEquals(bytes[0], stale.readByte());
            directory.deleteFile("file");
          }
        }
      }
    }
  }

  public void testFailedMergeClosesTheWriterAndLosesNothingElse() throws Exception {
    try (RamDirectory directory = open(HugePages.NEVER)) {
      int documents = 400;
      writeSegments(directory, documents);
      long used = MemoryUsageTest.drained(directory);
      assertTrue("used=" + used, used > LIMIT_BYTES / 2);
      RecordingMergeScheduler merges = new RecordingMergeScheduler();
      IndexWriterConfig config = new IndexWriterConfig().setMergeScheduler(merges);
      config.setCodec(TestUtil.getDefaultCodec());
      IndexWriter writer = new IndexWriter(directory, config);
      try (writer;
          DirectoryReader reader = DirectoryReader.open(writer)) {
        Exception e = expectThrows(Exception.class, () -> writer.forceMerge(1));
        merges.failures().forEach(e::addSuppressed);
        MemoryLimitReached.in(e, NAME, LIMIT_BYTES);
        // Readers go on, on all that was there.
        NumberedDocuments.check(reader, documents);
      }
      assertFalse(merges.failures().isEmpty());
      assertNotNull("Lucene closed the writer", writer.getTragicException());
      CleanIndex.check(directory);
      IndexWriterConfig after = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter again = new IndexWriter(directory, after)) {
        requireUsed(used, directory);
        again.addDocument(NumberedDocuments.of(documents, 1_000));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        NumberedDocuments.check(reader, documents + 1);
      }
    }
  }

  private static void writeSegments(RamDirectory directory, int documents) throws IOException {
    IndexWriterConfig unmerged =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setMaxBufferedDocs(50);
    // A random codec may write twice as much as it was given: more than the limit.
    unmerged.setCodec(TestUtil.getDefaultCodec());
    try (IndexWriter writer = new IndexWriter(directory, unmerged)) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(NumberedDocuments.of(i, 25_000));
      }
    }
  }

  /** The room that the documentation says a merge needs is enough, and there is reason for it. */
  public void testRoomForAMerge() throws Exception {
    try (RamDirectory segments = open(HugePages.NEVER)) {
      writeSegments(segments, random().nextInt(200, 500));
      for (int compound = 0; compound < 2; compound++) {
        mergeWithRoom(segments, 2 + compound + COPIES, compound);
        int factor = 1 + compound;
        expectThrows(IOException.class, () -> mergeWithRoom(segments, factor + 0.9, factor - 1));
      }
    }
  }

  private static void mergeWithRoom(RamDirectory segments, double factor, int compound)
      throws IOException {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound);
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(policy);
    config.setCodec(TestUtil.getDefaultCodec()).setMergeScheduler(new SerialMergeScheduler());
    RamDirectory.Builder options =
        RamDirectory.builder()
            .maxBytes((long) (factor * segments.ramBytesUsed()))
            .hugePages(HugePages.NEVER);
    try (RamDirectory directory = RamDirectory.load(segments, options);
        IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
  }
}
