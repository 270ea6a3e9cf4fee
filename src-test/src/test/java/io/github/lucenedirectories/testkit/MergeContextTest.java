// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.ReadOnceHint;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.Unwrappable;

/**
 * What merges, and searches on readers that merges opened, read by system calls: a merge's context
 * does not say that a file is read from end to end.
 */
@LuceneTestCase.SuppressFileSystems("*") // which read more than they are asked for
public class MergeContextTest extends LibraryTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));
  private static final int DIMENSIONS = 128;
  private static final int DOCUMENTS = 1_000;

  /** Bytes that this process asked for by system calls while it did something. */
  private static long asked(IORunnable work) throws IOException {
    long before = asked();
    work.run();
    return asked() - before;
  }

  private static long asked() throws IOException {
    String counters = Files.readString(Path.of("/proc/self/io"));
    return new Scanner(counters).skip("rchar:").nextLong();
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumeTrue("Linux counts reads", Files.isReadable(Path.of("/proc/self/io")));
  }

  private static Path createFolder() {
    return Unwrappable.unwrapAll(createTempDir());
  }

  /** Two segments, the same for the same seed. */
  private static void index(Path folder, long seed) throws IOException {
    try (Directory directory = new NIOFSDirectory(folder);
        IndexWriter writer =
            new IndexWriter(directory, config().setMergePolicy(NoMergePolicy.INSTANCE))) {
      Random random = new Random(seed);
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = NumberedDocuments.of(i, 500);
        document.add(new KnnFloatVectorField("vector", vector(random)));
        writer.addDocument(document);
        if (i == DOCUMENTS / 2) {
          writer.flush();
        }
      }
    }
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig()
        .setCodec(TestUtil.alwaysKnnVectorsFormat(new Lucene99HnswVectorsFormat(8, 32)))
        .setUseCompoundFile(false)
        .setMergeScheduler(new SerialMergeScheduler());
  }

  private static float[] vector(Random random) {
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = random.nextFloat();
    }
    return vector;
  }

  /** A merge that builds a graph reads each vector many times, at random. */
  public void testGraphBuilding() throws IOException {
    long seed = random().nextLong();
    long nioFs = asked(() -> merge(NIOFSDirectory::new, seed));
    long nio = asked(() -> merge(NioDirectory::new, seed));
    assertTrue(nio + " not " + nioFs, nio <= nioFs * 11 / 10);
    long indexed = DOCUMENTS * (DIMENSIONS * 4L + 500);
    for (IOFunction<Path, Directory> opener :
        List.<IOFunction<Path, Directory>>of(
            MappedDirectory::new,
            HybridDirectory::new,
            folder -> HybridDirectory.builder(folder).memoryBytes(() -> indexed).build(),
            folder ->
                Owned.over(
                    BlockCache.builder().maxBytes(32 << 20).build(),
                    cache -> new BlockCacheDirectory(new NioDirectory(folder), cache)))) {
      long read = asked(() -> merge(opener, seed));
      assertTrue(read + " for " + indexed, read <= 10 * indexed);
    }
  }

  private static void merge(IOFunction<Path, Directory> opener, long seed) throws IOException {
    Path folder = createFolder();
    index(folder, seed);
    try (Directory directory = opener.apply(folder);
        IndexWriter writer = new IndexWriter(directory, config())) {
      writer.forceMerge(1);
    }
  }

  /**
   * IndexWriter's pool gives a reader that a merge opened to searches: they read as one would that
   * a search opened by positions.
   */
  public void testReaderThatAMergeOpened() throws IOException {
    Path folder = createFolder();
    index(folder, random().nextLong());
    long forSearch = search(NioDirectory::new, folder, false);
    for (IOFunction<Path, Directory> opener :
        List.<IOFunction<Path, Directory>>of(
            NioDirectory::new,
            each -> HybridDirectory.builder(each).memoryBytes(() -> 100_000).build(),
            each -> HybridDirectory.builder(each).memoryBytes(() -> 1_500_000).build())) {
      long byMerge = search(opener, folder, true);
      assertTrue(
          byMerge + " in place of " + forSearch, byMerge <= forSearch * 11 / 10 + (200 << 10));
    }
  }

  private static long search(IOFunction<Path, Directory> opener, Path folder, boolean openedByMerge)
      throws IOException {
    try (Directory directory = opener.apply(folder);
        DirectoryReader reader =
            DirectoryReader.open(openedByMerge ? new OpenedByMerge(directory) : directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      Random random = new Random(1);
      return asked(
          () -> {
            for (int i = 0; i < 100; i++) {
              Term number = new Term("number", "" + random.nextInt(DOCUMENTS));
              assertEquals(1, searcher.count(new TermQuery(number)));
              KnnFloatVectorQuery near = new KnnFloatVectorQuery("vector", vector(random), 3);
              for (ScoreDoc hit : searcher.search(near, 3).scoreDocs) {
                assertNotNull(searcher.storedFields().document(hit.doc).get("number"));
              }
            }
          });
    }
  }

  /** Opens what is not read once as a merge does. */
  private static final class OpenedByMerge extends FilterDirectory {
    OpenedByMerge(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      boolean once = context.hints().contains(ReadOnceHint.INSTANCE);
      return super.openInput(name, once ? context : MERGE);
    }
  }
}
