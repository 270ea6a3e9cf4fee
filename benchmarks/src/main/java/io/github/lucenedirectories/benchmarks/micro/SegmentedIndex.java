package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;

/** A small index of made-up documents in so many segments, with all fields of the benchmarks. */
final class SegmentedIndex {
  /** A word that every document has. */
  static final String COMMON_WORD = "common";

  /** Documents in a segment. */
  static final int DOCUMENTS = 200;

  private static final int WORDS_A_DOCUMENT = 60;
  private static final int WORDS = 5_000;

  private SegmentedIndex() {}

  /**
   * Writes the index into an empty directory, and commits it.
   *
   * @param compound whether each segment has its files in one, as after a flush, or apart, as after
   *     a large merge
   */
  static void write(Directory directory, int segments, boolean compound, long seed)
      throws IOException {
    IndexWriterConfig config =
        IndexBuilder.config(Fields.analyzer())
            .setMaxBufferedDocs(DOCUMENTS)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(compound);
    IndexBuilder builder = new IndexBuilder();
    SplittableRandom random = new SplittableRandom(seed);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < segments * DOCUMENTS; i++) {
        writer.addDocument(builder.document(line(i, random), i));
      }
      writer.commit();
    }
  }

  private static LineDocument line(int number, SplittableRandom random) {
    StringBuilder body = new StringBuilder(COMMON_WORD);
    for (int word = 0; word < WORDS_A_DOCUMENT; word++) {
      body.append(" word").append(Block.skewed(random) % WORDS);
    }
    return new LineDocument("title " + number, number * 1_000_000L, body.toString(), null);
  }
}
