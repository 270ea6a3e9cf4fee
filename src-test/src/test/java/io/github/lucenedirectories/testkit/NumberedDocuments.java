// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Documents numbered from 0, with bytes that follow from the number and do not compress. */
public final class NumberedDocuments {

  private NumberedDocuments() {}

  /** The document of a number, with so many bytes. */
  public static Document of(int number, int bytes) {
    Document document = new Document();
    document.add(new StringField("number", Integer.toString(number), Field.Store.YES));
    document.add(new TextField("text", "all w" + number % 100, Field.Store.NO));
    document.add(new StoredField("bytes", bytesOf(number, bytes)));
    return document;
  }

  private static byte[] bytesOf(int number, int length) {
    byte[] bytes = new byte[length];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  /** As {@link #check(DirectoryReader, int)}, of the last commit. */
  public static void check(Directory directory, int count) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      check(reader, count);
    }
  }

  /** Fails unless a reader finds exactly the documents from 0 to {@code count - 1}, whole. */
  public static void check(DirectoryReader reader, int count) throws IOException {
    assertEquals(count, reader.numDocs());
    IndexSearcher searcher = new IndexSearcher(reader);
    assertEquals(count, searcher.count(new TermQuery(new Term("text", "all"))));
    StoredFields stored = searcher.storedFields();
    for (int i = 0; i < count; i++) {
      TopDocs hits = searcher.search(new TermQuery(new Term("number", Integer.toString(i))), 2);
      assertEquals("document " + i, 1, hits.scoreDocs.length);
      Document document = stored.document(hits.scoreDocs[0].doc);
      BytesRef bytes = Objects.requireNonNull(document.getBinaryValue("bytes"));
      byte[] found = BytesRef.deepCopyOf(bytes).bytes;
      assertArrayEquals("document " + i, bytesOf(i, found.length), found);
    }
  }
}
