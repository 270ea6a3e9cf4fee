// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.NumberedDocuments;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.BufferedChecksumIndexInput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;

/**
 * What a {@code RamDirectory} says of its memory, what the error at its limit says, and what stays
 * whole then.
 */
public class MemoryLimitTest extends LibraryTestCase {

  private static final String NAME = "small-directory";
  private static final long LIMIT_BYTES = 16L << 20;
  private static final int FILE_BYTES = 6 << 20;
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES = 1_025;
  private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private static final Pattern MESSAGE =
      Pattern.compile(
          "memory limit reached: file=(\\S+), neededBytes=[1-9]\\d*, freeBytes=\\d+, maxBytes="
              + LIMIT_BYTES
              + ": .*"
              + NAME);

  /** Where memory is allocated, a file is there twice when it is completed. */
  private static final int COPIES = TestMode.current().nativeAccess() ? 1 : 2;

  /** Runs with huge pages and without, and never more than the limit is in use. */
  private static void run(IOConsumer<RamDirectory> body) throws IOException {
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory = open(pages)) {
        body.accept(directory);
        assertTrue(metric(directory, "ram.peak.bytes") <= LIMIT_BYTES);
      }
    }
  }

  /** An empty one, of the limit. */
  private static RamDirectory open(HugePages pages) throws IOException {
    return RamDirectory.builder().name(NAME).maxBytes(LIMIT_BYTES).hugePages(pages).build();
  }

  private static IndexWriterConfig config() {
    // A random codec may write twice as much as it was given: more than the limit.
    return new IndexWriterConfig()
        .setCodec(TestUtil.getDefaultCodec())
        .setMergeScheduler(new SerialMergeScheduler());
  }

  /** Fails unless an exception, one of its causes or what they suppressed is that of the limit. */
  private static String fileWithoutRoom(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    Matcher message = MESSAGE.matcher(trace.toString());
    if (!message.find()) {
      throw new AssertionError("not by the memory limit", thrown);
    }
    return message.group(1);
  }

  public void testIndexUntilTheLimit() throws IOException {
    run(
        directory -> {
          for (int round = 0; round < 3; round++) {
            Set<Integer> committed = indexUntilTheLimit(directory);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
              assertTrue(committed + ": " + reader, committed.contains(reader.numDocs()));
              NumberedDocuments.check(reader, reader.numDocs());
            }
            CleanIndex.check(directory);
            // Without its old content there is room again.
            try (IndexWriter writer =
                new IndexWriter(directory, config().setOpenMode(OpenMode.CREATE))) {
              writer.addDocument(NumberedDocuments.of(0, 100));
              writer.commit();
            }
            CleanIndex.check(directory);
          }
        });
  }

  /**
   * Returns how many documents the last commit may hold. A merge that a commit starts may fail when
   * the commit is published already; the commit then throws.
   */
  private static Set<Integer> indexUntilTheLimit(RamDirectory directory) {
    IndexWriterConfig config = config().setOpenMode(OpenMode.CREATE).setCommitOnClose(false);
    config.setMaxBufferedDocs(random().nextInt(2, 40));
    config.setUseCompoundFile(random().nextBoolean());
    int committed = 0;
    int tried = 0;
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      // The commit before is needed no more, and takes part of the room.
      writer.commit();
      for (int documents = 0; documents < 100_000; documents++) {
        writer.addDocument(NumberedDocuments.of(documents, random().nextInt(1, 40_000)));
        if (random().nextInt(30) == 0) {
          tried = documents + 1;
          writer.commit();
          committed = tried;
        }
      }
      throw new AssertionError("no limit: " + directory);
    } catch (IOException | IllegalStateException e) {
      assertNotNull(fileWithoutRoom(e));
      return committed == tried ? Set.of(tried) : Set.of(committed, tried);
    }
  }

  /** The half-written file is gone at once and its memory free, also when this goes on for long. */
  public void testOneFileUntilTheLimit() throws IOException {
    run(
        directory -> {
          byte[] kept = randomBytes(1_000_000);
          write(directory, "kept", kept);
          long used = TestMode.current().nativeAccess() ? directory.ramBytesUsed() : kept.length;
          for (int i = 0; i < 50; i++) {
            writeUntilTheLimit(directory, "file" + i);
            // Where memory is allocated, what was released waits for a background thread.
            await(() -> directory.ramBytesUsed() == used);
            assertEquals(List.of("kept"), names(directory));
            assertArrayEquals(kept, read(directory, "kept"));
          }
        });
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
    assertEquals(name, fileWithoutRoom(e));
    // Most of the limit was there to be used.
    long written = out.getFilePointer();
    assertTrue("written=" + written, written > LIMIT_BYTES / 2 / COPIES);
    // It may be gone already.
    IOUtils.deleteFilesIgnoringExceptions(directory, name);
  }

  /** The room that the documentation says a merge needs is enough, and there is reason for it. */
  public void testRoomForAMerge() throws IOException {
    try (RamDirectory segments = open(HugePages.NEVER)) {
      IndexWriterConfig config = config().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(segments, config.setMaxBufferedDocs(50))) {
        for (int i = random().nextInt(200, 500); i > 0; i--) {
          writer.addDocument(NumberedDocuments.of(i, 25_000));
        }
      }
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
    RamDirectory.Builder options =
        RamDirectory.builder()
            .maxBytes((long) (factor * segments.ramBytesUsed()))
            .hugePages(HugePages.NEVER);
    try (RamDirectory directory = RamDirectory.load(segments, options);
        IndexWriter writer = new IndexWriter(directory, config().setMergePolicy(policy))) {
      writer.forceMerge(1);
    }
  }

  /** Huge pages: tried, required and never. */
  public void testHugePages() throws IOException {
    String mode = Files.exists(MODE) ? Files.readString(MODE) : "[never]";
    boolean available = TestMode.current().nativeAccess() && !mode.contains("[never]");
    for (HugePages pages : HugePages.values()) {
      if (pages == HugePages.REQUIRE && !available) {
        Exception e = expectThrows(Exception.class, () -> open(pages).close());
        assertTrue(e.toString(), e.toString().contains("huge pages"));
        continue;
      }
      long before = hugePageBytes();
      try (RamDirectory directory = open(pages)) {
        write(directory, "file", randomBytes(FILE_BYTES));
        long covered = hugePageBytes() - before;
        if (!mode.contains("[always]")) {
          assertEquals(
              pages + ": covered=" + covered,
              available && pages != HugePages.NEVER,
              covered >= FILE_BYTES / 2);
        }
      }
    }
  }

  private static long hugePageBytes() throws IOException {
    Path rollup = Path.of("/proc/self/smaps_rollup");
    if (Files.notExists(rollup)) {
      return 0;
    }
    String line =
        Files.readAllLines(rollup).stream()
            .filter(each -> each.startsWith("AnonHugePages:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
  }

  /** A file outgrows the address space that is reserved for it at first, 1 GiB. */
  public void testOutgrowsItsReservation() throws IOException {
    assumeTrue("only what is reserved can be outgrown", TestMode.current().nativeAccess());
    assumeTrue("too little memory", AvailableMemory.pageCacheBytes() >= 4L << 30);
    byte[] piece = randomBytes(PIECE_BYTES);
    try (Directory directory = new RamDirectory()) {
      long checksum;
      try (IndexOutput out = directory.createOutput("long", IOContext.DEFAULT)) {
        for (int i = 0; i < PIECES; i++) {
          out.writeInt(i);
          out.writeBytes(piece, 0, PIECE_BYTES - Integer.BYTES);
        }
        checksum = out.getChecksum();
      }
      try (IndexInput in = directory.openInput("long", IOContext.DEFAULT);
          ChecksumIndexInput sum = new BufferedChecksumIndexInput(in.clone())) {
        assertEquals((long) PIECES * PIECE_BYTES, in.length());
        assertNotNull(((MemorySegmentAccessInput) in).segmentSliceOrNull(0, in.length()));
        for (int i = 0; i < PIECES; i++) {
          in.seek((long) i * PIECE_BYTES);
          assertEquals(i, in.readInt());
        }
        sum.skipBytes(in.length());
        assertEquals(checksum, sum.getChecksum());
      }
    }
  }
}
