// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.PrefetchCapture;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec.Mode;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.BytesRef;

/** When the stored documents of hits are prefetched, and which. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class DocumentPrefetchTest extends DocumentPrefetchTestCase {

  /** Inputs of this library hand over a range that they should prefetch, and load nothing. */
  public void testCapture() throws IOException {
    Path path = createTempDir();
    try (Directory directory =
        random().nextBoolean() ? new MappedDirectory(path) : new NioDirectory(path)) {
      write(directory, "_0.fdt", new byte[1 << 20]);
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        long asked = asked();
        assertEquals(
            new PrefetchCapture.Range(in, 70_000, 9_000),
            PrefetchCapture.of(() -> in.prefetch(70_000, 9_000)));
        expectThrows(
            IndexOutOfBoundsException.class,
            () -> PrefetchCapture.of(() -> in.prefetch(1 << 20, 1)));
        assertFalse("a capture that failed goes on", PrefetchCapture.takes(in, 0, 1));
        assertNull(PrefetchCapture.of(() -> {}));
        in.readByte();
        assertEquals(
            "in the input's block",
            new PrefetchCapture.Range(in, 0, 1),
            PrefetchCapture.of(() -> in.prefetch(0, 1)));
        assertEquals(asked, asked());
      }
    }
  }

  private static long asked() {
    return PathCounter.NATIVE_ADVICE.count() + PathCounter.NATIVE_PREFETCH.count();
  }

  /** Nothing is prefetched before the first hit is read, and then all at once. */
  public void testHits() throws IOException {
    requireHits(false);
  }

  public void testHitsOfLoadedHeads() throws IOException {
    requireHits(true);
  }

  private static void requireHits(boolean loaded) throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300, 1, 500, 200);
        DirectoryReader reader = open(directory)) {
      directory.loaded = loaded;
      directory.unknown = random().nextBoolean();
      IndexSearcher searcher = new PrefetchingSearcherFactory().newSearcher(reader, null);
      ScoreDoc[] hits = search(searcher, 1 + random().nextInt(DocumentSwitch.MOST_HITS));
      assertTrue(hits.length > 0);
      directory.forget();
      int from = random().nextInt(hits.length);
      boolean anew = random().nextBoolean();
      StoredFields stored = searcher.storedFields();
      for (int i = from; i < hits.length; i++) {
        stored = anew ? searcher.storedFields() : stored;
        int before = directory.prefetches;
        assertNotNull(stored.document(hits[i].doc).getField("id"));
        assertEquals("hit " + (i - from), i == from, directory.prefetches > before);
      }
      if (directory.loaded) {
        assertEquals(0, directory.beforeReads);
      } else {
        assertTrue("heads first", directory.beforeReads > Math.min(2, (hits.length - from) / 20));
        assertTrue(directory.isReadPrefetched());
      }
      int mostBlocks = 3 * (2 * 8 * 1024 + 200);
      assertTrue(directory.prefetched.cardinality() <= (hits.length - from) * mostBlocks);
    }
  }

  /** More hits than a round has are prefetched by further rounds, also if they are read in part. */
  public void testRounds() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 1000, 1000);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 250);
      assertEquals(250, hits.length);
      directory.forget();
      List<Integer> prefetching = new ArrayList<>();
      for (int i = 0; i < hits.length; i++) {
        int before = directory.prefetches;
        searcher.storedFields().document(hits[i].doc);
        if (directory.prefetches > before) {
          prefetching.add(i);
        }
      }
      assertEquals(List.of(0, DocumentSwitch.MOST_HITS, 2 * DocumentSwitch.MOST_HITS), prefetching);
      assertTrue(directory.isReadPrefetched());

      hits = search(searcher, 250);
      directory.forget();
      searcher.storedFields().document(hits[60].doc);
      int once = directory.prefetches;
      searcher.storedFields().document(hits[0].doc);
      assertTrue(directory.prefetches > once);
      directory.prefetches = 0;
      // The second round left out what the first one had.
      for (int i : new int[] {59, 159, 199}) {
        searcher.storedFields().document(hits[i].doc);
      }
      assertEquals(0, directory.prefetches);
    }
  }

  /**
   * Of hits that are hardly ever read, fewer are prefetched together, until they are read again.
   */
  public void testUnreadHits() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 1000);
        DirectoryReader reader = open(directory)) {
      directory.loaded = true;
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      List<Integer> prefetches = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        ScoreDoc[] hits = search(searcher, 100);
        directory.forget();
        searcher.storedFields().document(hits[random().nextInt(3)].doc);
        prefetches.add(directory.prefetches);
      }
      assertTrue(prefetches.toString(), prefetches.getFirst() > 50);
      assertTrue(prefetches.toString(), prefetches.getLast() <= 6);
    }
    DocumentSwitch documents = new DocumentSwitch();
    for (int hits = DocumentSwitch.MOST_HITS; hits > 0; hits /= 2) {
      assertEquals(hits, documents.hits());
      documents.prefetchedHits(DocumentSwitch.PREFETCHED - 1);
      assertEquals(hits, documents.hits());
      documents.prefetchedHits(1);
    }
    for (int hits = 1; hits < 200; hits *= 2) {
      assertEquals(Math.min(hits, DocumentSwitch.MOST_HITS), documents.hits());
      documents.prefetchedHits(DocumentSwitch.PREFETCHED);
      int read = DocumentSwitch.PREFETCHED - random().nextInt(DocumentSwitch.PREFETCHED / 8);
      for (int i = 0; i < read; i++) {
        documents.readHit();
      }
    }
  }

  /** Hits behind the first ten thousand are prefetched alone. */
  public void testMostHits() throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    ScoreDoc[] hits = new ScoreDoc[Hits.MOST + 50];
    try (IndexWriter writer = writer(directory, Mode.BEST_SPEED)) {
      for (int i = 0; i < hits.length; i++) {
        Document document = new Document();
        document.add(new StoredField("f", randomBytes(300)));
        writer.addDocument(document);
        hits[i] = new ScoreDoc(hits.length - 1 - i, 1);
      }
    }
    try (directory;
        DirectoryReader reader = open(directory)) {
      directory.loaded = true;
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      Hits.note(reader.getContext(), new TopDocs(null, hits));
      directory.forget();
      searcher.storedFields().document(hits[Hits.MOST + random().nextInt(20)].doc);
      assertTrue("" + directory.prefetches, directory.prefetches <= 2);
      directory.forget();
      searcher.storedFields().document(hits[Hits.MOST - 20].doc);
      assertTrue("" + directory.prefetches, directory.prefetches > 10);
    }
  }

  /** Of a big document a part is prefetched: it may be more than the memory. */
  public void testBigDocument() throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    Document document = new Document();
    document.add(new StoredField("f", randomBytes(3 << 20)));
    try (IndexWriter writer = writer(directory, randomFrom(Mode.values()))) {
      writer.addDocument(document);
    }
    try (directory;
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      Hits.note(reader.getContext(), new TopDocs(null, new ScoreDoc[] {new ScoreDoc(0, 1)}));
      directory.forget();
      assertEquals(
          3 << 20, searcher.storedFields().document(0).getFields().getFirst().binaryValue().length);
      long bytes = directory.prefetched.cardinality();
      assertTrue("" + bytes, bytes > StoredChunk.MOST_BYTES / 2);
      assertTrue("" + bytes, bytes <= StoredChunk.MOST_BYTES + StoredChunk.HEAD_BYTES);
    }
  }

  /** A document that is no hit is prefetched alone: its blocks, not its chunk. */
  public void testDocumentAlone() throws IOException {
    requireAlone(false);
  }

  public void testDocumentAloneAnew() throws IOException {
    requireAlone(true);
  }

  private static void requireAlone(boolean anew) throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300, 300);
        DirectoryReader reader = open(directory)) {
      requireAlone(directory, reader, anew);
      LeafReaderContext leaf = reader.leaves().getLast();
      int behind = leaf.reader().maxDoc();
      expectThrows(
          IndexOutOfBoundsException.class, () -> leaf.reader().storedFields().document(behind));
    }
  }

  private static void requireAlone(StoredRecording directory, IndexReader reader, boolean anew)
      throws IOException {
    StoredFields stored = reader.storedFields();
    BitSet scanned = new BitSet();
    for (int i = 0; i < 100; i++) {
      stored = anew ? reader.storedFields() : stored;
      directory.forget();
      // None that would continue a scan of its segment.
      int doc = scanned.nextClearBit(random().nextInt(reader.maxDoc() - 200));
      scanned.set(doc + 1);
      stored.document(doc);
      int most = StoredChunk.HEAD_BYTES + 3 * (2 * 8 * 1024 + 200) + 4096;
      assertTrue(
          "" + directory.prefetched.cardinality(), directory.prefetched.cardinality() <= most);
      assertTrue(directory.isReadPrefetched());
    }
  }

  /** Documents that are deleted softly are left out by a reader around the segment's. */
  public void testSoftDeletes() throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new Lucene104Codec(Mode.BEST_SPEED))
            .setSoftDeletesField("gone")
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, 400);
      writer.softUpdateDocument(
          new Term("group", "2"), new Document(), new NumericDocValuesField("gone", 1));
    }
    try (directory;
        DirectoryReader reader =
            PrefetchingDirectoryReader.wrap(
                new SoftDeletesDirectoryReaderWrapper(DirectoryReader.open(directory), "gone"))) {
      assertTrue(reader.hasDeletions());
      requireAlone(directory, reader, random().nextBoolean());
    }
  }

  /** Readers that scan do not prefetch what the kernel's read-ahead loads. */
  public void testScan() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 200);
        DirectoryReader reader = open(directory)) {
      StoredFields stored = reader.storedFields();
      stored.document(0);
      assertTrue(directory.prefetches > 0);
      directory.forget();
      for (int doc = 1; doc < reader.maxDoc(); doc++) {
        stored.document(doc);
      }
      assertEquals(0, directory.prefetches);
    }
  }

  /** What fails for one hit is no error of another one. */
  public void testFailures() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300, 300);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 50);
      directory.failsBehind = random().nextInt(1 << 20);
      for (ScoreDoc hit : hits) {
        assertNotNull(searcher.storedFields().document(hit.doc).getField("id"));
      }
    }
  }

  /** A reader that is wrapped twice prefetches as one that is wrapped once. */
  public void testWrappedTwice() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300);
        DirectoryReader reader = PrefetchingDirectoryReader.wrap(open(directory))) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 20);
      directory.forget();
      searcher.storedFields().document(hits[0].doc);
      int once = directory.prefetches;
      for (ScoreDoc hit : hits) {
        searcher.storedFields().document(hit.doc);
      }
      assertEquals(once, directory.prefetches);
      assertTrue(directory.isReadPrefetched());
    }
  }

  /** Of other formats, and in other directories, hits are prefetched by whole chunks. */
  public void testWholeChunks() throws IOException {
    requireWholeChunks(Mode.BEST_COMPRESSION, true);
  }

  public void testWholeChunksElsewhere() throws IOException {
    requireWholeChunks(Mode.BEST_SPEED, false);
    requireWholeChunks(Mode.BEST_COMPRESSION, false);
  }

  private static void requireWholeChunks(Mode mode, boolean captured) throws IOException {
    try (StoredRecording directory = recording(mode, 300, 300);
        DirectoryReader reader = open(directory)) {
      directory.captured = captured;
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 20);
      directory.forget();
      for (ScoreDoc hit : hits) {
        searcher.storedFields().document(hit.doc);
      }
      assertTrue(directory.isReadPrefetched());
      assertTrue("twice", directory.prefetches <= hits.length);
      directory.forget();
      for (int i = 0; i < 20; i++) {
        // Not among the hits.
        reader.storedFields().document(random().nextInt(40) * 7);
      }
      assertEquals("document alone", 0, directory.prefetches);
    }
  }

  /** Hits are those of a thread's last search, and of the reader that was searched. */
  public void testWhoseHits() throws Exception {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 500);
        IndexWriter writer = writer(directory, Mode.BEST_SPEED);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 50);
      writer.deleteDocuments(new Term("group", "3"));
      add(writer, 10);
      writer.commit();
      try (DirectoryReader reopened = DirectoryReader.openIfChanged(reader)) {
        directory.loaded = true;
        directory.forget();
        reopened.storedFields().document(hits[0].doc);
        assertTrue("of another reader", directory.prefetches <= 2);
        directory.forget();
        begin(() -> searcher.storedFields().document(hits[0].doc)).get();
        assertTrue("of another thread", directory.prefetches <= 2);
        directory.forget();
        searcher.storedFields().document(hits[0].doc);
        assertTrue("hits lost", directory.prefetches > 25);
        search(searcher, 2);
        directory.forget();
        searcher.storedFields().document(hits[1].doc);
        assertTrue("of an earlier search", directory.prefetches <= 4);

        // Hits that are not in this index, as a collector of several may return.
        ScoreDoc[] others = {
          new ScoreDoc(5, 1),
          new ScoreDoc(-7, 1),
          new ScoreDoc(reader.maxDoc(), 1),
          new ScoreDoc(Integer.MAX_VALUE, 1)
        };
        Hits.note(reader.getContext(), new TopDocs(null, others));
        searcher.storedFields().document(5);
        Hits.note(reader.getContext(), "no hits");
        Hits.note(reader.getContext(), new TopDocs(null, null));
        Hits.note(reader.getContext(), new TopDocs(null, new ScoreDoc[] {null, others[0]}));
        searcher.storedFields().document(5);
      }
    }
  }

  /** Closed readers fail as they do without prefetching, and others do not. */
  public void testClosed() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300, 300)) {
      DirectoryReader reader = open(directory);
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 50);
      StoredFields stored = searcher.storedFields();
      reader.close();
      expectThrows(AlreadyClosedException.class, searcher::storedFields);
      expectThrows(AlreadyClosedException.class, () -> stored.document(hits[0].doc));
      try (DirectoryReader other = open(directory)) {
        assertNotNull(other.storedFields().document(hits[0].doc));
      }
    }
  }

  /** A thread that searched keeps nothing of a reader that is gone. */
  public void testNothingKept() throws Exception {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 300)) {
      WeakReference<IndexReader> gone = searched(directory);
      await(
          () -> {
            System.gc();
            return gone.get() == null;
          });
    }
  }

  private static WeakReference<IndexReader> searched(Directory directory) throws IOException {
    try (DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      searcher.storedFields().document(search(searcher, 10)[0].doc);
      return new WeakReference<>(reader);
    }
  }

  /** In every directory the documents are those of the reader within, also for a merge. */
  public void testDocumentsAreTheSame() throws IOException {
    Path path = createTempDir();
    try (Directory directory = new NioDirectory(path);
        IndexWriter writer = writer(directory, randomFrom(Mode.values()))) {
      add(writer, 100);
      add(writer, 20);
    }
    long asked = asked();
    Directory opened =
        switch (random().nextInt(4)) {
          case 0 -> new MappedDirectory(path);
          case 1 -> new HybridDirectory(path);
          case 2 -> new NioDirectory(path);
          default -> new MMapDirectory(path);
        };
    try (Directory directory = opened;
        DirectoryReader plain = DirectoryReader.open(directory);
        DirectoryReader reader = open(directory);
        Directory merged = new ByteBuffersDirectory()) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      for (ScoreDoc hit : search(searcher, 60)) {
        assertSame(plain, hit.doc, searcher.storedFields(), hit.doc);
      }
      if (directory instanceof MappedDirectory && TestMode.current().nativeAccess()) {
        assertTrue(asked() > asked);
      }
      List<CodecReader> leaves = new ArrayList<>();
      for (LeafReaderContext leaf : reader.leaves()) {
        leaves.add(SlowCodecReaderWrapper.wrap(leaf.reader()));
      }
      try (IndexWriter writer = writer(merged, Mode.BEST_SPEED)) {
        writer.addIndexes(leaves.toArray(CodecReader[]::new));
      }
      try (DirectoryReader copy = DirectoryReader.open(merged)) {
        for (int doc = 0; doc < plain.maxDoc(); doc++) {
          assertSame(plain, doc, copy.storedFields(), doc);
        }
      }
    }
  }

  private static void assertSame(IndexReader plain, int doc, StoredFields actual, int at)
      throws IOException {
    Document expected = plain.storedFields().document(doc);
    Document document = actual.document(at);
    assertEquals(expected.getField("id").numericValue(), document.getField("id").numericValue());
    BytesRef bytes = expected.getBinaryValue("f");
    assertEquals(bytes, document.getBinaryValue("f"));
  }
}
