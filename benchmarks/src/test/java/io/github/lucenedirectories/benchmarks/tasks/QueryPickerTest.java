package io.github.lucenedirectories.benchmarks.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class QueryPickerTest {

  /** The words that most documents have, whatever they are, over all segments. */
  @Test
  void hardestTermsAreTheMostFrequentOnes() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (String text :
            List.of("the night train", "the night", "the the the", "fare of night")) {
          Document document = new Document();
          document.add(new TextField("body", text, Field.Store.NO));
          writer.addDocument(document);
          writer.flush();
        }
        Document last = new Document();
        last.add(new TextField("body", "the fare", Field.Store.NO));
        writer.addDocument(last);
      }
      try (IndexReader reader = DirectoryReader.open(directory)) {
        List<String> picked =
            new QueryPicker(reader, "body", 1)
                .pick(QueryPicker.HARDEST, 3).stream().map(TaskLine::toString).toList();
        assertEquals(
            List.of("HardestTerm: the", "HardestTerm: night", "HardestTerm: fare"), picked);
      }
    }
  }
}
