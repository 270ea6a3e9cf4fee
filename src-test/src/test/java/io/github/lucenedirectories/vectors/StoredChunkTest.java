// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.store.PrefetchCapture;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What a document needs of its chunk, compared with what Lucene reads, and of damaged chunks. */
public class StoredChunkTest extends LibraryTestCase {

  static Document document(Random random, int bytes) {
    Document document = new Document();
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    // Half of the documents can be compressed.
    int mask = random.nextBoolean() ? 3 : 255;
    for (int i = 0; i < bytes; i++) {
      value[i] &= (byte) mask;
    }
    if (bytes > 0) {
      document.add(new StoredField("f", value));
    }
    return document;
  }

  /** The lengths of the documents of a chunk or several. */
  private static List<Integer> lengths() {
    List<Integer> lengths = new ArrayList<>();
    int[] most = {
      0, 5, 300, 2_000, 20_000, 2 * StoredChunk.SLICE_BYTES, 6 * StoredChunk.SLICE_BYTES
    };
    if (random().nextBoolean()) {
      lengths.add(random().nextInt(2, 6) * StoredChunk.SLICE_BYTES);
    }
    if (random().nextInt(4) == 0) {
      // All packed in the same way.
      int count = 128 * random().nextInt(1, 4);
      return random().ints(count, 0, 200).boxed().toList();
    }
    while (lengths.isEmpty() || random().nextInt(4) > 0) {
      int each = random().nextInt(most.length);
      // More than 128, which are packed in another way, or fewer.
      int count = random().nextInt(1, each < 4 ? 600 : 5);
      for (int i = 0; i < count; i++) {
        lengths.add(random().nextInt(most[each] + 1));
      }
    }
    return lengths;
  }

  /** Returns the length of each document. */
  private static List<Integer> write(Directory directory) throws IOException {
    return write(directory, lengths());
  }

  private static List<Integer> write(Directory directory, List<Integer> lengths)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new Lucene104Codec(Lucene104Codec.Mode.BEST_SPEED))
            .setUseCompoundFile(random().nextBoolean())
            .setRAMBufferSizeMB(64)
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int length : lengths) {
        writer.addDocument(document(random(), length));
      }
    }
    return lengths;
  }

  private static PrefetchCapture.Range rangeOf(LeafReader segment, int doc) throws IOException {
    return Objects.requireNonNull(
        PrefetchCapture.of(() -> segment.storedFields().prefetch(doc)), "nothing captured");
  }

  /** What Lucene reads of each document is what it needs, to the byte but for the end. */
  public void testNeedsWhatLuceneReads() throws IOException {
    for (int round = 0; round < DirectorySuite.rounds(3, 50); round++) {
      try (StoredRecording directory = new StoredRecording(new ByteBuffersDirectory())) {
        List<Integer> lengths = write(directory);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          LeafReader segment = reader.leaves().getFirst().reader();
          assertEquals(lengths.size(), segment.maxDoc());
          for (int i = 0; i < 40; i++) {
            requireRead(directory, segment, random().nextInt(segment.maxDoc()));
          }
          requireRead(directory, segment, lengths.indexOf(Collections.max(lengths)));
        }
      }
    }
  }

  /** A document begins where a block ends. */
  public void testDocumentsAtBlocks() throws IOException {
    try (StoredRecording directory = new StoredRecording(new ByteBuffersDirectory())) {
      // The dictionary is a twentieth of the chunk, and a block a tenth of the rest.
      write(directory, Collections.nCopies(200, random().nextInt(100, 350)));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader segment = reader.leaves().getFirst().reader();
        for (int doc = 10; doc < 200; doc += 19) {
          requireRead(directory, segment, doc - 1);
          requireRead(directory, segment, doc);
        }
      }
    }
  }

  private static void requireRead(StoredRecording directory, LeafReader segment, int doc)
      throws IOException {
    PrefetchCapture.Range range = rangeOf(segment, doc);
    int start = Math.toIntExact(((StoredRecording.Input) range.in()).start + range.offset());
    StoredChunk chunk = new StoredChunk(range, true);
    StoredChunk.Needed needed = chunk.needed(doc);
    if (needed == null) {
      // A chunk of empty documents has no blocks.
      assertTrue("doc=" + doc + ", bytes=" + range.length(), range.length() < 20);
      return;
    }
    assertTrue(chunk.contains(doc));
    assertFalse(chunk.contains(-1));
    assertFalse(chunk.contains(segment.maxDoc()));
    directory.forget();
    boolean empty = segment.storedFields().document(doc).getFields().isEmpty();
    assertEquals(start, directory.read.nextSetBit(0));
    int head = Math.toIntExact(start + needed.head());
    int begin = Math.toIntExact(start + needed.begin());
    int end = Math.toIntExact(start + needed.end());
    int readEnd = directory.read.length();
    String message = "doc=" + doc + ", " + needed + ", read to " + (readEnd - start);
    assertTrue(message, readEnd <= end);
    assertEquals(message, begin, Math.max(begin, directory.read.nextSetBit(head)));
    if (!empty) {
      assertTrue(message, directory.read.nextClearBit(start) >= head);
      assertTrue(message, begin == end || directory.read.get(begin));
      // No block lies behind what was read.
      for (int later = doc + 1; chunk.contains(later) && later < doc + 50; later++) {
        StoredChunk.Needed ofLater = Objects.requireNonNull(chunk.needed(later));
        long block = start + ofLater.begin();
        boolean reads = ofLater.begin() < ofLater.end();
        assertFalse(message, reads && block >= readEnd && block < end);
      }
    }
    if (needed.end() == range.length() && readEnd - begin > StoredChunk.SLICE_BYTES) {
      assertEquals("all of a document in slices", end, readEnd);
    }
  }

  private static Directory open(Path folder) throws IOException {
    return switch (random().nextInt(3)) {
      case 0 -> new MappedDirectory(folder);
      case 1 -> new NioDirectory(folder);
      default -> new ByteBuffersDirectory();
    };
  }

  /** Random changes of a chunk cause no exception and no prefetch outside it. */
  public void testDamaged() throws IOException {
    byte[] chunk;
    int first;
    int documents = 0;
    try (StoredRecording directory = new StoredRecording(new ByteBuffersDirectory())) {
      write(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        first = random().nextInt(reader.maxDoc());
        PrefetchCapture.Range range = rangeOf(reader.leaves().getFirst().reader(), first);
        StoredChunk of = new StoredChunk(range, true);
        of.needed(first);
        do {
          documents++;
        } while (of.contains(first + documents));
        chunk = new byte[Math.toIntExact(range.length())];
        range.in().seek(range.offset());
        range.in().readBytes(chunk, 0, chunk.length);
      }
    }
    try (Directory files = open(createTempDir())) {
      for (int round = 0; round < DirectorySuite.rounds(300, 1_000_000); round++) {
        byte[] damaged = chunk.clone();
        if (random().nextInt(8) == 0) {
          byte[] head = randomBytes(random().nextInt(Math.min(100, damaged.length)));
          System.arraycopy(head, 0, damaged, 0, head.length);
        }
        for (int i = random().nextInt(1, 6); i > 0; i--) {
          int at =
              random()
                  .nextInt(random().nextBoolean() ? Math.min(20, damaged.length) : damaged.length);
          damaged[at] = (byte) random().nextInt();
        }
        int margin = random().nextInt(10);
        int length =
            random().nextInt(4) == 0 ? random().nextInt(damaged.length + 1) : damaged.length;
        requireWithin(
            files,
            "_" + round + ".fdt",
            damaged,
            margin,
            length,
            first + random().nextInt(documents));
      }
    }
  }

  /** A head that promises a billion documents needs no memory for them. */
  public void testHeadOfManyDocuments() throws IOException {
    byte[] head = {0, -1, -1, -1, -1, 15, 32, 1, 2, 3};
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, "_0.fdt", head);
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        PrefetchCapture.Range range = new PrefetchCapture.Range(in, 0, head.length);
        assertNull(new StoredChunk(range, true).needed(5));
      }
    }
  }

  private static void requireWithin(
      Directory files, String name, byte[] chunk, int margin, int length, int doc)
      throws IOException {
    byte[] file = new byte[margin + chunk.length];
    System.arraycopy(chunk, 0, file, margin, chunk.length);
    write(files, name, file);
    StoredRecording directory = new StoredRecording(files);
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      StoredChunk of = new StoredChunk(new PrefetchCapture.Range(in, margin, length), true);
      of.prefetchHead();
      of.prefetch(doc);
      of.prefetch(random().nextInt());
      assertTrue(directory.prefetched.isEmpty() || directory.prefetched.nextSetBit(0) >= margin);
      assertTrue(directory.prefetched.length() <= margin + length);
    }
    files.deleteFile(name);
  }
}
