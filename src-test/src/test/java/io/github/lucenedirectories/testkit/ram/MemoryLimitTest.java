package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.MemoryUsage;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.ConcurrentMergeScheduler;
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
import org.apache.lucene.tests.util.TestUtil;
import org.jspecify.annotations.Nullable;

/** {@code RamDirectory} at its limit: what the error says, and what stays whole. */
public class MemoryLimitTest extends LibraryTestCase {

  private static final String NAME = "small-directory";
  private static final long LIMIT_BYTES = 16L << 20;
  private static final int MOST_DOCUMENT_BYTES = 40_000;

  /** Where memory is allocated, a file is there twice when it is completed. */
  private static final int COPIES = TestMode.current().nativeAccess() ? 1 : 2;

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
        byte[] kept = randomBytes(1_000_000);
        write(directory, "kept", kept);
        long used =
            TestMode.current().nativeAccess() ? directory.memoryUsage().usedBytes() : kept.length;
        for (int i = 0; i < 50; i++) {
          writeUntilTheLimit(directory, "file" + i);
          requireUsed(used, directory);
          assertEquals(List.of("kept"), names(directory));
          assertArrayEquals(kept, read(directory, "kept"));
        }
      }
    }
  }

  /** Where memory is allocated, what was released waits for a background thread. */
  private static void requireUsed(long used, RamDirectory directory) throws InterruptedException {
    await(() -> directory.ramBytesUsed() == used);
  }

  private static void writeUntilTheLimit(RamDirectory directory, String name) throws IOException {
    byte[] piece = randomBytes(random().nextInt(1, 300_000));
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
    byte[] bytes = randomBytes((int) (LIMIT_BYTES * 6 / 10 / COPIES));
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory = open(pages);
          UsageSampler _ = new UsageSampler(directory)) {
        for (int i = 0; i < 60; i++) {
          write(directory, "file", bytes);
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

  /** Lucene's scheduler, keeping the failures of background merges instead of throwing them. */
  private static final class RecordingMergeScheduler extends ConcurrentMergeScheduler {

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    protected void handleMergeException(Throwable e) {
      failures.add(e);
    }

    /** The failures so far. */
    List<Throwable> failures() {
      return List.copyOf(failures);
    }
  }

  /** What the error at the memory limit says. */
  private record MemoryLimitReached(String file, long askedBytes, long freeBytes, long maxBytes) {

    private static final Pattern MESSAGE =
        Pattern.compile(
            "memory limit reached: file=(\\S+), askedBytes=(\\d+), freeBytes=(\\d+),"
                + " maxBytes=(\\d+): (.*)",
            Pattern.DOTALL);

    /** Finds it in an exception, its causes and what they suppressed, and checks what it says. */
    static MemoryLimitReached in(Throwable thrown, String directoryName, long maxBytes) {
      MemoryLimitReached found =
          find(thrown, directoryName)
              .orElseThrow(() -> new AssertionError("not by the memory limit", thrown));
      assertTrue(found.toString(), found.maxBytes == maxBytes);
      assertTrue(found.toString(), found.askedBytes > 0 && found.freeBytes <= maxBytes);
      return found;
    }

    private static Optional<MemoryLimitReached> find(Throwable thrown, String directoryName) {
      Deque<Throwable> open = new ArrayDeque<>(Set.of(thrown));
      Set<Throwable> seen = new HashSet<>();
      while (!open.isEmpty()) {
        Throwable next = open.remove();
        if (!seen.add(next)) {
          continue;
        }
        String message = next.getMessage();
        Matcher matcher = MESSAGE.matcher(message == null ? "" : message);
        if (matcher.matches() && matcher.group(5).contains(directoryName)) {
          return Optional.of(
              new MemoryLimitReached(
                  matcher.group(1),
                  Long.parseLong(matcher.group(2)),
                  Long.parseLong(matcher.group(3)),
                  Long.parseLong(matcher.group(4))));
        }
        if (next.getCause() != null) {
          open.add(next.getCause());
        }
        open.addAll(Arrays.asList(next.getSuppressed()));
      }
      return Optional.empty();
    }
  }

  /** Looks at the memory of a directory all the time, on a thread of its own. */
  private static final class UsageSampler implements AutoCloseable {

    private final RamDirectory directory;
    private final long maxBytes;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::sample, "usage-sampler");
    private volatile boolean stopped;
    private volatile long samples;

    UsageSampler(RamDirectory directory) throws IOException {
      this.directory = directory;
      this.maxBytes = directory.memoryUsage().maxBytes();
      thread.start();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by this thread alone
    private void sample() {
      try {
        while (!stopped) {
          // The cheap number often, all of them now and then.
          long used = directory.ramBytesUsed();
          if (used < 0 || used > maxBytes) {
            throw new AssertionError("usedBytes=" + used + ", maxBytes=" + maxBytes);
          }
          if (samples++ % 1_000 == 0) {
            check(directory.memoryUsage());
          }
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        failure.set(e);
      }
    }

    private static void check(MemoryUsage usage) {
      if (usage.usedBytes() > usage.maxBytes()
          || usage.freeBytes() < 0
          || usage.peakBytes() > usage.maxBytes()) {
        throw new AssertionError(usage.toString());
      }
    }

    /** Ends, and fails if a look at the memory found more in use than the limit allows. */
    @Override
    public void close() {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting for " + thread, e);
      }
      if (failure.get() != null || samples == 0) {
        throw new AssertionError("samples=" + samples, failure.get());
      }
    }
  }
}
