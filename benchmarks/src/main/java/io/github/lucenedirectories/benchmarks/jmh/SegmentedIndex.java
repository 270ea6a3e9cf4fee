package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;

/** A small index of made-up documents in so many segments, with all fields of the benchmarks. */
final class SegmentedIndex {
  /** A word that every document has. */
  static final Term COMMON = new Term(Fields.BODY, "common");

  /** Documents in a segment. */
  static final int DOCUMENTS = 200;

  private static final int WORDS_A_DOCUMENT = 60;
  private static final int WORDS = 5_000;

  private SegmentedIndex() {}

  /**
   * Writes the index into an empty directory, and commits it.
   *
   * @param compound whether each segment has its files in one
   */
  static void write(Directory directory, int segments, boolean compound) throws IOException {
    IndexBuilder builder = new IndexBuilder();
    SplittableRandom random = new SplittableRandom(Block.SEED);
    try (IndexWriter writer =
        new IndexWriter(
            directory,
            IndexBuilder.config(Fields.analyzer())
                .setMaxBufferedDocs(DOCUMENTS)
                .setMergePolicy(NoMergePolicy.INSTANCE)
                .setUseCompoundFile(compound))) {
      for (int i = 0; i < segments * DOCUMENTS; i++) {
        StringBuilder body = new StringBuilder(COMMON.text());
        for (int word = 0; word < WORDS_A_DOCUMENT; word++) {
          body.append(" word").append(Block.skewed(random) % WORDS);
        }
        LineDocument line = new LineDocument("title " + i, i * 1_000_000L, body.toString(), null);
        writer.addDocument(builder.document(line, i));
      }
      writer.commit();
    }
  }
}
