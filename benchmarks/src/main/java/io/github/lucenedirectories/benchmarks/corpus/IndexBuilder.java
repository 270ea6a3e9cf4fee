// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Writes the benchmarks' index. The same corpus gives the same segments each time: one thread,
 * flushes by number of documents, merges by number of documents and at once. It is not merged into
 * one segment, so that searches meet several, compound and not.
 */
public final class IndexBuilder {
  /** Rises when the fields or the segments change, so that an older cached index is not used. */
  public static final int VERSION = 1;

  private static final int FLUSH_DOCUMENTS = 2500;
  private static final int LABELS = 1000;
  private static final int ID_CHARS = 6;
  private static final int BASE = 36;

  private final boolean vectors;
  private int count;

  public IndexBuilder() {
    this(true);
  }

  /** With or without vectors, whose graph takes most of the time to build. */
  public IndexBuilder(boolean vectors) {
    this.vectors = vectors;
  }

  /** Writes a new index into an empty directory; returns the number of documents. */
  public int build(Corpus corpus, Directory directory) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      count = 0;
      corpus.forEach(line -> writer.addDocument(document(line, count++)));
      writer.commit();
    }
    return count;
  }

  /** A writer's settings that lead to the same segments each time. */
  public static IndexWriterConfig config() {
    return new IndexWriterConfig(Fields.analyzer())
        .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
        .setMaxBufferedDocs(FLUSH_DOCUMENTS)
        .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH)
        .setMergePolicy(new LogDocMergePolicy())
        .setMergeScheduler(new SerialMergeScheduler());
  }

  /**
   * The Lucene document of a line, the {@code number}-th of its corpus from 0. Any thread may ask.
   */
  public Document document(LineDocument line, int number) {
    ZonedDateTime time = Instant.ofEpochMilli(line.epochMillis()).atZone(ZoneOffset.UTC);
    BytesRef month = new BytesRef(String.format(Locale.ROOT, "%02d", time.getMonthValue()));
    String label = line.label() != null ? line.label() : "label " + spread(number) % LABELS;

    Document document = new Document();
    document.add(new StringField(Fields.ID, id(number), Field.Store.YES));
    document.add(new TextField(Fields.BODY, line.body(), Field.Store.YES));
    document.add(new StoredField(Fields.TITLE, line.title()));
    document.add(new SortedDocValuesField(Fields.TITLE, new BytesRef(line.title())));
    document.add(new LongPoint(Fields.LAST_MODIFIED, line.epochMillis()));
    document.add(new NumericDocValuesField(Fields.LAST_MODIFIED, line.epochMillis()));
    document.add(new IntPoint(Fields.SECOND_OF_DAY, time.toLocalTime().toSecondOfDay()));
    document.add(new NumericDocValuesField(Fields.DAY_OF_YEAR, time.getDayOfYear()));
    document.add(new SortedDocValuesField(Fields.MONTH, month));
    document.add(new SortedSetDocValuesField(Fields.LABEL, new BytesRef(label)));
    if (vectors) {
      document.add(
          new KnnFloatVectorField(
              Fields.VECTOR,
              TextVectors.ofDocument(line.body(), number),
              VectorSimilarityFunction.DOT_PRODUCT));
    }
    return document;
  }

  public static String id(int number) {
    String digits = Integer.toString(number, BASE);
    return "0".repeat(Math.max(0, ID_CHARS - digits.length())) + digits;
  }

  /** Scatters neighbouring numbers; never negative. */
  private static int spread(int number) {
    return (number * 0x9E3779B9) >>> 1;
  }
}
