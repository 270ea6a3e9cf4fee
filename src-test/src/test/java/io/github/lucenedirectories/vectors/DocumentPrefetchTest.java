// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import static com.carrotsearch.randomizedtesting.RandomizedTest.randomFrom;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.PrefetchCapture;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec.Mode;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
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
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;
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
public class DocumentPrefetchTest extends LibraryTestCase {

  private static final Query GROUP = new TermQuery(new Term("group", "1"));

  private static IndexWriter writer(Directory directory, Mode mode) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(new Lucene104Codec(mode))
            .setUseCompoundFile(random().nextBoolean())
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  /** Chunks of some twenty documents, a seventh of them in the group. */
  private static void add(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      Document document = StoredChunkTest.document(random(), random().nextInt(8_000));
      document.add(new StringField("group", "" + i % 7, Field.Store.NO));
      document.add(new StoredField("id", i));
      document.add(new NumericDocValuesField("order", random().nextInt()));
      writer.addDocument(document);
    }
    writer.flush();
  }

  private static StoredRecording recording(Mode mode, int... segments) throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    try (IndexWriter writer = writer(directory, mode)) {
      for (int documents : segments) {
        add(writer, documents);
      }
    }
    return directory;
  }

  private static DirectoryReader open(Directory directory) throws IOException {
    return PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory));
  }

  /** Hits of some kind of search, not in the order of the index. */
  private static ScoreDoc[] search(IndexSearcher searcher, int count) throws IOException {
    Sort byOrder = new Sort(new SortField("order", SortField.Type.LONG));
    return switch (random().nextInt(3)) {
      case 0 -> searcher.search(GROUP, count, byOrder).scoreDocs;
      case 1 -> searcher.searchAfter(null, GROUP, count).scoreDocs;
      default -> {
        CollectorManager<TopScoreDocCollector, TopDocs> shuffling =
            new CollectorManager<>() {
              private final TopScoreDocCollectorManager in =
                  new TopScoreDocCollectorManager(count, 10_000);

              @Override
              public TopScoreDocCollector newCollector() {
                return in.newCollector();
              }

              @Override
              public TopDocs reduce(Collection<TopScoreDocCollector> collectors)
                  throws IOException {
                TopDocs hits = in.reduce(collectors);
                Collections.shuffle(Arrays.asList(hits.scoreDocs), random());
                return hits;
              }
            };
        yield searcher.search(GROUP, shuffling).scoreDocs;
      }
    };
  }

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

  /**
   * A caller that prefetches does not wait: blocks are prefetched at once if heads are in memory,
   * else when the first document is read, those of all segments together.
   */
  public void testPrefetchedByCaller() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 400, 300, 300);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 20);
      Hits.note(reader.getContext(), new TopDocs(null, new ScoreDoc[0]));
      for (boolean loaded : new boolean[] {false, true}) {
        directory.loaded = loaded;
        directory.forget();
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc hit : hits) {
          stored.prefetch(hit.doc);
        }
        assertEquals("waits", loaded, !directory.read.isEmpty());
        directory.read.clear();
        int announced = directory.prefetches;
        // The announcement is the thread's: the caller may read by other means.
        boolean same = random().nextBoolean();
        stored = same ? stored : reader.storedFields();
        stored.document(hits[0].doc);
        int before = directory.prefetches;
        assertTrue("announced " + announced, loaded || before > announced + hits.length / 2);
        for (ScoreDoc hit : hits) {
          stored.document(hit.doc);
        }
        assertTrue("again", !same || directory.prefetches == before);
        assertTrue(loaded || directory.isReadPrefetched());
        int most = hits.length * (StoredChunk.HEAD_BYTES + 3 * (2 * 8 * 1024 + 200));
        assertTrue(directory.prefetched.cardinality() <= most);
      }
    }
  }

  /** Whoever reads by other means can have documents prefetched. */
  public void testPrefetchDocuments() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 600, 800, 300);
        DirectoryReader plain = DirectoryReader.open(directory);
        DirectoryReader reader = PrefetchingDirectoryReader.wrap(plain)) {
      int[] docs = random().ints(random().nextInt(1, 50), 0, reader.maxDoc()).toArray();
      int[] given = docs.clone();
      directory.forget();
      PrefetchingDirectoryReader.prefetchDocuments(reader, docs);
      assertArrayEquals(given, docs);
      int bytes = directory.prefetched.cardinality();
      assertTrue(bytes <= docs.length * (StoredChunk.HEAD_BYTES + 3 * (2 * 8 * 1024 + 200)));
      directory.read.clear();
      for (int doc : docs) {
        plain.storedFields().document(doc);
      }
      assertTrue(directory.isReadPrefetched());

      directory.forget();
      PrefetchingDirectoryReader.prefetchDocuments(plain, docs);
      PrefetchingDirectoryReader.prefetchDocuments(reader);
      PrefetchingDirectoryReader.prefetchDocuments(reader, -1, reader.maxDoc());
      assertEquals(0, directory.prefetches);
      int last = reader.maxDoc() - 1;
      PrefetchingDirectoryReader.prefetchDocuments(
          reader, IntStream.rangeClosed(0, last).map(i -> last - i).toArray());
      directory.read.clear();
      plain.storedFields().document(last - DocumentRound.MOST + 1);
      assertTrue(directory.isReadPrefetched());
      plain.storedFields().document(last - DocumentRound.MOST - 300);
      assertFalse(directory.isReadPrefetched());

      // All of it is in memory: a few are observed.
      DocumentSwitch documents = switchOf(reader);
      assertFalse(documents.isOn());
      directory.forget();
      PrefetchingDirectoryReader.prefetchDocuments(reader, IntStream.range(0, 320).toArray());
      assertTrue("" + directory.prefetches, directory.prefetches > 5);
      assertTrue("" + directory.prefetches, directory.prefetches <= 30);
      documents.note(10, false, DocumentSwitch.NOT_PREFETCHED);
      assertTrue(documents.isOn());
    }
  }

  /** Of very many announced documents the last ones are prefetched by whole chunks. */
  public void testManyAnnounced() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 2 * DocumentRound.MOST);
        DirectoryReader reader = open(directory)) {
      StoredFields stored = reader.storedFields();
      for (int doc = 0; doc < DocumentRound.MOST; doc++) {
        stored.prefetch(doc);
      }
      directory.forget();
      // In a chunk that was not announced.
      stored.prefetch(DocumentRound.MOST + 300);
      int bytes = directory.prefetched.cardinality();
      assertTrue("" + bytes, bytes > StoredChunk.HEAD_BYTES);
      stored.document(DocumentRound.MOST + 300);
      directory.forget();
      stored.prefetch(DocumentRound.MOST + 700);
      assertEquals(StoredChunk.HEAD_BYTES, directory.prefetched.cardinality());
    }
  }

  /** A caller may prefetch in any order, and come back to a chunk. */
  public void testPrefetchedInAnyOrder() throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    try (IndexWriter writer = writer(directory, Mode.BEST_SPEED)) {
      for (int i = 0; i < 1000; i++) {
        writer.addDocument(StoredChunkTest.document(random(), 4_000));
      }
    }
    try (directory;
        DirectoryReader reader = open(directory)) {
      directory.loadedBelow = 1 << 20;
      directory.forget();
      StoredFields stored = reader.storedFields();
      stored.prefetch(2);
      int firstChunk = directory.prefetched.length() + (1 << 18);
      stored.prefetch(999);
      assertTrue("the last chunk is far behind", directory.prefetched.length() > firstChunk);
      int before = directory.prefetched.get(0, firstChunk).cardinality();
      stored.prefetch(12);
      assertTrue(directory.prefetched.get(0, firstChunk).cardinality() > before);
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

  /** Documents in memory end prefetching, and waits begin it again. */
  public void testSwitch() throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    DocumentSwitch documents = new DocumentSwitch();
    for (int i = 0; i < 3; i++) {
      documents.note(DocumentSwitch.PREFETCHED / 8, true, 1);
      documents.note(0, true, DocumentSwitch.PREFETCHED - 2);
      documents.note(0, false, 1000); // begun before it was on
      assertTrue(documents.isOn());
      documents.note(0, true, 1);
      assertTrue(documents.isOn());
    }
    documents.note(DocumentSwitch.PREFETCHED / 8 - 1, true, DocumentSwitch.PREFETCHED);
    assertFalse(documents.isOn());
    int observed = 0;
    for (int i = 0; i < 320; i++) {
      observed += documents.observes() ? 1 : 0;
    }
    assertEquals(10, observed);
    documents.note(1, false, DocumentSwitch.NOT_PREFETCHED);
    assertFalse(documents.isOn());
    documents.note(2, false, DocumentSwitch.NOT_PREFETCHED);
    assertTrue(documents.isOn());
    assertTrue(documents.observes());
  }

  /** Many pages that the kernel read around one document are one wait. */
  public void testReadAround() {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    DocumentSwitch documents = new DocumentSwitch();
    documents.note(0, true, DocumentSwitch.PREFETCHED);
    assertFalse(documents.isOn());
    long[] begun = PrefetchSwitch.begin();
    documents.end(new long[] {begun[0] - 1, begun[1] - 800}, false, 1);
    for (int i = 1; i < DocumentSwitch.NOT_PREFETCHED; i++) {
      documents.end(PrefetchSwitch.begin(), false, 1);
    }
    assertFalse(documents.isOn());
  }

  /** The hits of a search are forgotten at the next one, also if that notes none. */
  public void testForgottenHits() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 500);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      ScoreDoc[] hits = search(searcher, 70);
      DocumentSwitch documents = switchOf(reader);
      documents.note(0, true, DocumentSwitch.PREFETCHED);
      search(searcher, 70);
      documents.note(2, false, DocumentSwitch.NOT_PREFETCHED);
      assertTrue(documents.isOn());
      directory.loaded = true;
      directory.forget();
      searcher.storedFields().document(hits[0].doc);
      assertTrue("" + directory.prefetches, directory.prefetches <= 2);
    }
  }

  private static DocumentSwitch switchOf(DirectoryReader reader) {
    return ((PrefetchingLeafReader) reader.leaves().getFirst().reader()).documents;
  }

  /** While everything is in memory, nothing is prefetched, and no hits are noted. */
  public void testOff() throws IOException {
    try (StoredRecording directory = recording(Mode.BEST_SPEED, 500);
        DirectoryReader reader = open(directory)) {
      IndexSearcher searcher = new PrefetchingIndexSearcher(reader);
      DocumentSwitch documents = switchOf(reader);
      for (int i = 0; i < DocumentSwitch.PREFETCHED; i++) {
        assertTrue(documents.isOn());
        searcher.storedFields().document(random().nextInt(500));
      }
      assertFalse(documents.isOn());
      ScoreDoc[] hits = search(searcher, 100);
      directory.forget();
      for (ScoreDoc hit : hits) {
        searcher.storedFields().document(hit.doc);
      }
      assertEquals(0, directory.prefetches);
      searcher.storedFields().prefetch(random().nextInt(500));
      assertEquals("by the caller, and Lucene", 1, directory.prefetches);
      documents.note(2, false, DocumentSwitch.NOT_PREFETCHED);
      documents.note(2, false, DocumentSwitch.NOT_PREFETCHED);
      // The reader after a refresh goes on as this one.
      try (IndexWriter writer = writer(directory, Mode.BEST_SPEED)) {
        add(writer, 1);
      }
      try (DirectoryReader reopened = DirectoryReader.openIfChanged(reader)) {
        assertTrue(documents == switchOf(reopened));
      }
    }
  }
}
