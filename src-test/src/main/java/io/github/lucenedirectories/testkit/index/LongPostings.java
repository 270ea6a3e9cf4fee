package io.github.lucenedirectories.testkit.index;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;

/** One segment of many small documents, whose words have hundreds of postings each. */
final class LongPostings {

  private static final int WORDS = 60;
  private static final String FIELD = "text";

  private LongPostings() {}

  static void write(Directory directory, long seed, int documents) throws IOException {
    Random random = new Random(seed);
    IndexWriterConfig config =
        new IndexWriterConfig(new MockAnalyzer(random, MockTokenizer.WHITESPACE, false));
    config.setCodec(IndexFormat.DEFAULT.codec());
    config.setMaxBufferedDocs(documents + 1);
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    config.setUseCompoundFile(random.nextBoolean());
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    Random words = new Random(seed);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        StringBuilder text = new StringBuilder();
        // Now and then a long document, for frequencies and positions of more than a few bits.
        for (int left = words.nextInt(50) == 0 ? 300 : words.nextInt(12); left >= 0; left--) {
          text.append('w').append(words.nextInt(WORDS)).append(' ');
        }
        Document document = new Document();
        document.add(new Field(FIELD, text.toString(), type));
        writer.addDocument(document);
      }
    }
  }

  static void compareSearches(DirectoryReader expected, DirectoryReader actual) throws IOException {
    for (int i = 0; i < WORDS; i++) {
      TermQuery word = new TermQuery(new Term(FIELD, "w" + i));
      TermQuery next = new TermQuery(new Term(FIELD, "w" + (i + 1) % WORDS));
      SearchComparison.compareHits(expected, actual, word);
      for (BooleanClause.Occur occur :
          new BooleanClause.Occur[] {BooleanClause.Occur.MUST, BooleanClause.Occur.SHOULD}) {
        BooleanQuery both = new BooleanQuery.Builder().add(word, occur).add(next, occur).build();
        SearchComparison.compareHits(expected, actual, both);
      }
      SearchComparison.compareHits(
          expected, actual, new PhraseQuery(FIELD, "w" + i, "w" + (i + 1) % WORDS));
    }
  }
}
