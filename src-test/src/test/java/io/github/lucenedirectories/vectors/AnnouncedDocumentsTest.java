// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.lucene104.Lucene104Codec.Mode;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What is prefetched of documents that an application announces. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class AnnouncedDocumentsTest extends DocumentPrefetchTestCase {

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
}
