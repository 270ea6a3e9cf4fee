// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentsTest {
  private static final int DOCUMENTS = 400;

  @TempDir private Path folder;

  @Test
  void filesAndFieldsOfTheLastCommit() throws IOException {
    Path index =
        SampleText.index(
            SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS), folder.resolve("index"));
    try (Directory directory = FSDirectory.open(index)) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.deleteDocuments(new Term("id", "000000"));
      }
      Files.writeString(index.resolve("other"), "12345");
      Contents contents = Contents.read(directory);
      SegmentInfos commit = SegmentInfos.readLatestCommit(directory);
      assertEquals(ExistingIndex.bytes(directory, commit.files(false)), contents.bytes());
      assertEquals(ExistingIndex.bytes(directory, commit.files(true)), contents.committedBytes());
      assertEquals(DOCUMENTS - 1, contents.documents());
      assertEquals(1, contents.deleted());
      assertEquals("body", contents.searchedField(null));
      assertTrue(contents.fields().toString().startsWith("[body (terms with positions), "));
    }
  }

  @Test
  void whatOlderCommitsNameIsCommittedAndNotOfTheLast() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(folder)) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.addDocument(new Document());
        writer.commit();
        writer.deleteAll();
        writer.addDocument(new Document());
        writer.commit();
      }
      Contents contents = Contents.read(directory);
      SegmentInfos last = SegmentInfos.readLatestCommit(directory);
      long all = ExistingIndex.bytes(directory, List.of(directory.listAll()));
      assertEquals(all, contents.committedBytes());
      assertEquals(ExistingIndex.bytes(directory, last.files(false)), contents.bytes());
      assertTrue(all - ExistingIndex.bytes(directory, last.files(true)) > 100);
    }
  }

  private static Contents contents(Contents.Field... fields) {
    return new Contents(1, 0, 1, "10.5.1", 0, 0, List.of(fields));
  }

  @Test
  void theTextIsTheFieldWithPositionsAndMostTerms() {
    Contents.Field id = new Contents.Field("id", 1, 900);
    Contents.Field tags = new Contents.Field("tags", 2, 800);
    Contents.Field title = new Contents.Field("title", 3, 10);
    Contents.Field body = new Contents.Field("body", 3, 100);
    Contents.Field price = new Contents.Field("price", 0, 0);
    assertEquals("body", contents(id, tags, title, body, price).searchedField(null));
    assertEquals("tags", contents(id, tags, price).searchedField(null));
    assertEquals("id", contents(id, price).searchedField(null));
    assertEquals("id", contents(id, body, price).searchedField("id"));
    assertEquals(
        "no field 'price' with terms in the index: choose from body, id",
        assertThrows(UsageException.class, () -> contents(id, body, price).searchedField("price"))
            .getMessage());
    assertEquals(
        "no field of the index has terms, and advise searches for terms only; it has [price]",
        assertThrows(UsageException.class, () -> contents(price).searchedField(null)).getMessage());
  }
}
