package io.github.lucenedirectories.testkit.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.simpletext.SimpleTextCodec;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;
import org.apache.lucene.tests.index.MockRandomMergePolicy;
import org.apache.lucene.util.BytesRef;

/**
 * Two indexes, on two directories, that the same random operations are done on in step.
 *
 * <p>Nothing in them depends on time or threads, so that segments, document numbers and scores come
 * out the same.
 */
final class IndexPair implements Closeable {

  /** Compares two readers of what should be one index. */
  interface Comparison {
    void compare(String when, DirectoryReader expected, DirectoryReader actual) throws IOException;
  }

  private final Random random;
  private final String format;
  private final Comparison comparison;
  private final List<Directory> directories;
  private List<IndexWriter> writers;
  private int nextId;

  /**
   * The expected index lies on the first directory, the one to be tested on the second.
   *
   * @param format as of {@link #codec}
   */
  IndexPair(Directory expected, Directory actual, String format, long seed, Comparison comparison)
      throws IOException {
    this.directories = List.of(expected, actual);
    this.format = format;
    this.random = new Random(seed);
    this.comparison = comparison;
    this.writers = openWriters();
  }

  /**
   * A new codec.
   *
   * @param format {@code SimpleText} for everything as text, or the postings format of the default
   *     codec
   */
  static Codec codec(String format) {
    if (format.equals("SimpleText")) {
      return new SimpleTextCodec();
    }
    PostingsFormat postings = PostingsFormat.forName(format);
    return new Lucene104Codec() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return postings;
      }
    };
  }

  private List<IndexWriter> openWriters() throws IOException {
    long seed = random.nextLong();
    IndexWriter first = new IndexWriter(directories.get(0), config(format, seed));
    try {
      return List.of(first, new IndexWriter(directories.get(1), config(format, seed)));
    } catch (Throwable e) {
      first.rollback();
      throw e;
    }
  }

  private static IndexWriterConfig config(String format, long seed) {
    Random random = new Random(seed);
    MergePolicy merges =
        switch (random.nextInt(3)) {
          // Policies that look at bytes merge differently where lengths differ by a byte.
          case 0 -> {
            LogDocMergePolicy log = new LogDocMergePolicy();
            log.setMergeFactor(random.nextInt(2, 6));
            yield log;
          }
          case 1 -> {
            TieredMergePolicy tiered = new TieredMergePolicy();
            tiered.setSegmentsPerTier(random.nextInt(2, 6));
            tiered.setFloorSegmentMB(0.1);
            yield tiered;
          }
          default -> new MockRandomMergePolicy(random);
        };
    return new IndexWriterConfig(new MockAnalyzer(random, MockTokenizer.WHITESPACE, false))
        .setCodec(codec(format))
        .setMergeScheduler(new SerialMergeScheduler())
        .setMergePolicy(merges)
        .setUseCompoundFile(random.nextBoolean())
        .setReaderPooling(random.nextBoolean())
        .setMaxBufferedDocs(random.nextInt(5, 60))
        .setMaxFullFlushMergeWaitMillis(0)
        .setCommitOnClose(random.nextBoolean());
  }

  /** What is done on each index, with the same random numbers. */
  private interface Change {
    void make(IndexWriter writer, Random random) throws IOException;
  }

  private void both(Change change) throws IOException {
    long seed = random.nextLong();
    for (IndexWriter writer : writers) {
      change.make(writer, new Random(seed));
    }
  }

  /**
   * Does random operations until {@code documents} were added, comparing now and then; then merges
   * all to one segment.
   */
  void run(int documents) throws IOException {
    // Fields can only be updated where they exist, also after everything else was rolled back.
    add();
    both((writer, _) -> writer.commit());
    while (nextId < documents) {
      switch (random.nextInt(120)) {
        case 0, 1, 2 -> both((writer, _) -> writer.commit());
        case 3, 4, 5 -> both((writer, _) -> writer.flush());
        case 6 -> compareNearRealTime();
        case 7, 8 -> reopen();
        case 9, 10 -> addIndexes();
        case 11, 12 -> both(IndexPair::merge);
        case 13, 14, 15, 16, 17, 18 -> both(this::deleteSome);
        case 19, 20, 21, 22, 23, 24, 25, 26, 27 -> both(this::updateSome);
        default -> add();
      }
    }
    compareNearRealTime();
    // In one segment frequent words fill whole blocks of postings, which SIMD code decodes.
    both((writer, _) -> writer.forceMerge(1));
    both((writer, _) -> writer.commit());
  }

  private void add() throws IOException {
    String id = Integer.toString(nextId++);
    both((writer, same) -> writer.addDocument(RandomDocument.of(id, same.nextLong())));
  }

  private Term anyId(Random same) {
    return new Term("id", Integer.toString(same.nextInt(nextId + 1)));
  }

  private void deleteSome(IndexWriter writer, Random same) throws IOException {
    if (same.nextBoolean()) {
      writer.deleteDocuments(anyId(same));
    } else {
      int low = same.nextInt(1_000);
      writer.deleteDocuments(IntPoint.newRangeQuery("point1", low, low + 5));
    }
  }

  private void updateSome(IndexWriter writer, Random same) throws IOException {
    Term id = anyId(same);
    switch (same.nextInt(3)) {
      case 0 -> writer.updateDocument(id, RandomDocument.of(id.text(), same.nextLong()));
      case 1 -> writer.updateNumericDocValue(id, "updated_number", same.nextInt(50));
      default -> {
        byte[] bytes = new byte[same.nextInt(1, 20)];
        same.nextBytes(bytes);
        writer.updateBinaryDocValue(id, "updated_bytes", new BytesRef(bytes));
      }
    }
  }

  private static void merge(IndexWriter writer, Random same) throws IOException {
    if (same.nextBoolean()) {
      writer.forceMergeDeletes();
    } else {
      writer.forceMerge(same.nextInt(1, 4));
    }
  }

  /** Adds a small index from elsewhere, once as files and once through a reader. */
  private void addIndexes() throws IOException {
    int first = nextId;
    nextId += random.nextInt(1, 15);
    both(
        (writer, same) -> {
          try (Directory other = new ByteBuffersDirectory()) {
            try (IndexWriter otherWriter =
                new IndexWriter(other, config(format, same.nextLong()))) {
              for (int id = first; id < nextId; id++) {
                otherWriter.addDocument(RandomDocument.of(Integer.toString(id), same.nextLong()));
              }
              otherWriter.commit();
            }
            if (same.nextBoolean()) {
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
        });
  }

  private void compareNearRealTime() throws IOException {
    try (DirectoryReader expected = DirectoryReader.open(writers.get(0));
        DirectoryReader actual = DirectoryReader.open(writers.get(1))) {
      comparison.compare("near real time, " + nextId + " documents", expected, actual);
      add();
      try (DirectoryReader newExpected = DirectoryReader.openIfChanged(expected);
          DirectoryReader newActual = DirectoryReader.openIfChanged(actual)) {
        comparison.compare("reopened, " + nextId + " documents", newExpected, newActual);
      }
    }
  }

  /** Ends both writers, by commit or by rollback, and opens new ones. */
  private void reopen() throws IOException {
    both(
        (writer, same) -> {
          if (same.nextInt(4) == 0) {
            writer.rollback();
          } else {
            writer.commit();
            writer.close();
          }
        });
    writers = openWriters();
  }

  /** Closes the writers; what was not committed is gone. */
  @Override
  public void close() throws IOException {
    both((writer, _) -> writer.rollback());
  }
}
