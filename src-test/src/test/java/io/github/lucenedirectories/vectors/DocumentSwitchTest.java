// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104Codec.Mode;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.tests.util.LuceneTestCase;

/** While documents are in memory, they are not prefetched. */
@LuceneTestCase.SuppressFileSystems("*") // what is asked of the kernel must be a real file
public class DocumentSwitchTest extends DocumentPrefetchTestCase {

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
