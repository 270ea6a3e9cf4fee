// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import static org.apache.lucene.tests.util.LuceneTestCase.newIndexWriterConfig;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.codecs.simpletext.SimpleTextCodec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;
import org.apache.lucene.tests.index.MockRandomMergePolicy;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * Random operations on an index, which follow from a seed alone: nothing in them depends on time or
 * threads, so that segments, document numbers and scores come out the same on any directory.
 */
public final class RandomIndex implements Closeable {

  private final Directory directory;
  private final Codec codec;
  private final Random random;
  private final List<DirectoryReader> readers = new ArrayList<>();
  private int nextId;

  /**
   * @param format as of {@link #codec}
   */
  RandomIndex(Directory directory, String format, long seed) {
    this.directory = directory;
    this.codec = codec(format);
    this.random = new Random(seed);
  }

  /**
   * A new codec.
   *
   * @param format {@code SimpleText} for everything as text, or the postings format of the default
   *     codec
   */
  public static Codec codec(String format) {
    return format.equals("SimpleText")
        ? new SimpleTextCodec()
        : codec(PostingsFormat.forName(format));
  }

  /** The default codec with this format for all postings. */
  public static Codec codec(PostingsFormat postings) {
    Codec codec = TestUtil.getDefaultCodec();
    PostingsFormat perField =
        new PerFieldPostingsFormat() {
          @Override
          public PostingsFormat getPostingsFormatForField(String field) {
            return postings;
          }
        };
    return new FilterCodec(codec.getName(), codec) {
      @Override
      public PostingsFormat postingsFormat() {
        return perField;
      }
    };
  }

  /** A document with fields of every kind, all of it following from a seed. */
  public static Document document(String id, long seed) {
    Document document = RandomDocument.of(id, seed);
    int number = Math.floorMod(seed, 1_000);
    document.add(NumericDocValuesField.indexedField("skipped_number", number));
    return document;
  }

  /** The readers that {@link #write} opened; they read what there was at that moment. */
  List<DirectoryReader> readers() {
    return readers;
  }

  private IndexWriter open(Directory target) throws IOException {
    MockAnalyzer analyzer = new MockAnalyzer(random, MockTokenizer.WHITESPACE, false);
    IndexWriterConfig config = newIndexWriterConfig(random, analyzer);
    // It does not look at lengths, which may differ by a byte, or at the time.
    config.setMergePolicy(new MockRandomMergePolicy(random));
    config.setMergeScheduler(new SerialMergeScheduler());
    config.setMaxBufferedDocs(random.nextInt(5, 60));
    config.setMaxFullFlushMergeWaitMillis(0);
    return new IndexWriter(target, config.setCodec(codec));
  }

  /** Adds at least this many documents, then merges all to one segment. */
  void write(int documents) throws Exception {
    IndexWriter writer = open(directory);
    try {
      // Fields can only be updated where they exist, also after everything else was rolled back.
      add(writer);
      writer.commit();
      while (nextId < documents) {
        switch (random.nextInt(120)) {
          case 0, 1, 2 -> writer.commit();
          case 3, 4, 5 -> writer.flush();
          case 6 -> openReaders(writer);
          case 7 -> writer.close();
          case 8 -> writer.rollback();
          case 9, 10 -> addIndexes(writer);
          // It returns nothing before Lucene 10.4: a call would name the type.
          case 11 -> IndexWriter.class.getMethod("forceMergeDeletes").invoke(writer);
          case 12 -> writer.forceMerge(random.nextInt(1, 4));
          case 13, 14, 15 -> writer.deleteDocuments(anyId());
          case 16, 17, 18 -> {
            int low = random.nextInt(1_000);
            writer.deleteDocuments(IntPoint.newRangeQuery("point1", low, low + 5));
          }
          case 19, 20, 21, 22, 23, 24, 25, 26, 27 -> update(writer);
          default -> add(writer);
        }
        if (!writer.isOpen()) {
          writer = open(directory);
        }
      }
      openReaders(writer);
      // In one segment frequent words fill whole blocks of postings, which SIMD code decodes.
      writer.forceMerge(1);
      writer.commit();
    } finally {
      writer.rollback();
    }
  }

  private void add(IndexWriter writer) throws IOException {
    writer.addDocument(document(Integer.toString(nextId++), random.nextLong()));
  }

  private Term anyId() {
    return new Term("id", Integer.toString(random.nextInt(nextId + 1)));
  }

  private void update(IndexWriter writer) throws IOException {
    Term id = anyId();
    byte[] bytes = new byte[random.nextInt(1, 20)];
    random.nextBytes(bytes);
    switch (random.nextInt(3)) {
      case 0 -> writer.updateDocument(id, document(id.text(), random.nextLong()));
      case 1 -> writer.updateNumericDocValue(id, "updated_number", random.nextInt(50));
      default -> writer.updateBinaryDocValue(id, "updated_bytes", new BytesRef(bytes));
    }
  }

  /** Adds a small index from elsewhere, as files or through a reader. */
  private void addIndexes(IndexWriter writer) throws IOException {
    try (Directory other = new ByteBuffersDirectory()) {
      try (IndexWriter otherWriter = open(other)) {
        for (int i = random.nextInt(1, 15); i > 0; i--) {
          add(otherWriter);
        }
        otherWriter.commit();
      }
      if (random.nextBoolean()) {
        writer.addIndexes(other);
      } else {
        try (DirectoryReader reader = DirectoryReader.open(other)) {
          writer.addIndexes(
              reader.leaves().stream()
                  .map(leaf -> (CodecReader) leaf.reader())
                  .toArray(CodecReader[]::new));
        }
      }
    }
  }

  private void openReaders(IndexWriter writer) throws IOException {
    DirectoryReader reader = DirectoryReader.open(writer);
    readers.add(reader);
    add(writer);
    readers.add(DirectoryReader.openIfChanged(reader));
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(readers);
  }
}
