package io.github.lucenedirectories.testkit.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.analysis.MockTokenizer;
import org.apache.lucene.tests.index.MockRandomMergePolicy;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOConsumer;

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
  private final IndexFormat format;
  private final Comparison comparison;
  private final List<Directory> directories;
  private List<IndexWriter> writers;
  private int nextId;

  /** The expected index lies on the first directory, the one to be tested on the second. */
  IndexPair(
      Directory expected, Directory actual, IndexFormat format, long seed, Comparison comparison)
      throws IOException {
    this.directories = List.of(expected, actual);
    this.format = format;
    this.random = new Random(seed);
    this.comparison = comparison;
    this.writers = openWriters();
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

  private static IndexWriterConfig config(IndexFormat format, long seed) {
    Random random = new Random(seed);
    IndexWriterConfig config = new IndexWriterConfig(analyzer(random));
    config.setCodec(format.codec());
    config.setMergeScheduler(new SerialMergeScheduler());
    config.setUseCompoundFile(random.nextBoolean());
    config.setReaderPooling(random.nextBoolean());
    config.setMaxBufferedDocs(random.nextInt(5, 60));
    config.setMaxFullFlushMergeWaitMillis(0);
    config.setCommitOnClose(random.nextBoolean());
    config.setMergePolicy(mergePolicy(random));
    return config;
  }

  private static Analyzer analyzer(Random random) {
    return new MockAnalyzer(random, MockTokenizer.WHITESPACE, false);
  }

  private static MergePolicy mergePolicy(Random random) {
    MergePolicy policy =
        switch (random.nextInt(3)) {
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
    policy.setNoCFSRatio(random.nextInt(3) / 2.0);
    return policy;
  }

  private void both(IOConsumer<IndexWriter> change) throws IOException {
    for (IndexWriter writer : writers) {
      change.accept(writer);
    }
  }

  /**
   * Does random operations until {@code documents} were added, comparing now and then; then merges
   * all to one segment.
   */
  void run(int documents) throws IOException {
    // Fields can only be updated where they exist, also after everything else was rolled back.
    add();
    both(IndexWriter::commit);
    while (nextId < documents) {
      switch (random.nextInt(120)) {
        case 0, 1, 2 -> both(IndexWriter::commit);
        case 3, 4, 5 -> both(IndexWriter::flush);
        case 6 -> compareNearRealTime();
        case 7, 8 -> reopen();
        case 9, 10 -> addIndexes();
        case 11, 12 -> merge();
        case 13, 14, 15, 16, 17, 18 -> deleteSome();
        case 19, 20, 21, 22, 23, 24, 25, 26, 27 -> updateSome();
        default -> add();
      }
    }
    compareNearRealTime();
    // In one segment frequent words fill whole blocks of postings, which SIMD code decodes.
    both(writer -> writer.forceMerge(1));
    both(IndexWriter::commit);
  }

  private void add() throws IOException {
    String id = Integer.toString(nextId++);
    long seed = random.nextLong();
    both(writer -> writer.addDocument(RandomDocument.of(id, seed)));
  }

  private Term anyId() {
    return new Term("id", Integer.toString(random.nextInt(nextId + 1)));
  }

  private void deleteSome() throws IOException {
    Term id = anyId();
    int low = random.nextInt(1_000);
    Query query = IntPoint.newRangeQuery("point1", low, low + 5);
    boolean byTerm = random.nextBoolean();
    both(
        writer -> {
          if (byTerm) {
            writer.deleteDocuments(id);
          } else {
            writer.deleteDocuments(query);
          }
        });
  }

  private void updateSome() throws IOException {
    Term id = anyId();
    long seed = random.nextLong();
    int kind = random.nextInt(3);
    byte[] bytes = new byte[random.nextInt(1, 20)];
    random.nextBytes(bytes);
    both(
        writer -> {
          switch (kind) {
            case 0 -> writer.updateDocument(id, RandomDocument.of(id.text(), seed));
            case 1 -> writer.updateNumericDocValue(id, "updated_number", seed % 50);
            default -> writer.updateBinaryDocValue(id, "updated_bytes", new BytesRef(bytes));
          }
        });
  }

  private void merge() throws IOException {
    int segments = random.nextInt(1, 4);
    boolean deletesOnly = random.nextBoolean();
    both(
        writer -> {
          if (deletesOnly) {
            writer.forceMergeDeletes();
          } else {
            writer.forceMerge(segments);
          }
        });
  }

  /** Adds a small index from elsewhere, once as files and once through a reader. */
  private void addIndexes() throws IOException {
    int first = nextId;
    nextId += random.nextInt(1, 15);
    long seed = random.nextLong();
    boolean asFiles = random.nextBoolean();
    both(
        writer -> {
          try (Directory other = new ByteBuffersDirectory()) {
            try (IndexWriter otherWriter = new IndexWriter(other, config(format, seed))) {
              for (int id = first; id < nextId; id++) {
                otherWriter.addDocument(RandomDocument.of(Integer.toString(id), seed + id));
              }
              otherWriter.commit();
            }
            if (asFiles) {
              writer.addIndexes(other);
            } else {
              try (DirectoryReader reader = DirectoryReader.open(other)) {
                CodecReader[] leaves =
                    reader.leaves().stream()
                        .map(LeafReaderContext::reader)
                        .map(CodecReader.class::cast)
                        .toArray(CodecReader[]::new);
                writer.addIndexes(leaves);
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
    boolean rollback = random.nextInt(4) == 0;
    both(
        writer -> {
          if (rollback) {
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
    both(IndexWriter::rollback);
  }
}
