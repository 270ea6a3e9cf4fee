// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.NativeCalls;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;

/**
 * A reader whose vector searches wait for the device once per step through the graph, not once per
 * vector, and whose stored documents of hits are loaded together.
 *
 * {@snippet :
 * try (Directory directory = new MMapDirectory(path);
 *     SearcherManager searchers =
 *         new SearcherManager(
 *             PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory)),
 *             new PrefetchingSearcherFactory())) {
 *   IndexSearcher searcher = searchers.acquire();
 * }
 * }
 *
 * <p>Before a search scores the neighbours of a node, their vectors are prefetched together, and so
 * are those that a narrow filter accepts, if they are more than the query's k. The index and the
 * hits are the same. Prefetching begins and ends by itself, depending on how much searches read
 * from the device; while everything is in memory, searches run as they do without this reader.
 *
 * <p>When an application reads the stored document of a {@link PrefetchingIndexSearcher}'s hit,
 * that document and those of the following hits are prefetched together, up to 100 at once. In this
 * library's directories and the format {@code BEST_SPEED} only the bytes are loaded that the
 * documents need, elsewhere whole chunks.
 *
 * <p>It serves float and byte vectors in Lucene's HNSW format, and its scalar-quantized formats
 * since 10.4; fields in other formats are searched without prefetching. Vectors are prefetched
 * where the directory maps files (this library's or {@code MMapDirectory}) or prefetches by
 * position ({@link io.github.lucenedirectories.nio.NioDirectory}), on 64-bit Linux with native
 * access, and Lucene 10.5 or newer. Stored documents need no newer Lucene.
 *
 * <p>Wrap the reader of the index first, and other readers around it: a segment reader that changes
 * what a search finds, such as {@code ExitableDirectoryReader}, is searched without prefetching.
 * {@code DirectoryReader.openIfChanged} returns a wrapped reader. Threads, closing and caches are
 * those of the reader within.
 */
public final class PrefetchingDirectoryReader extends FilterDirectoryReader {

  /**
   * The fields of open segments, by the segment's vector reader. The keys are weak, because readers
   * may be dropped without being closed.
   */
  private static final Map<KnnVectorsReader, Map<String, Optional<VectorField>>> SEGMENTS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final UnaryOperator<LeafReader> segments;
  private final DocumentSwitch documents;

  private PrefetchingDirectoryReader(
      DirectoryReader in, UnaryOperator<LeafReader> segments, DocumentSwitch documents)
      throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader leaf) {
            if (PrefetchingLeafReader.find(leaf) != null) {
              return leaf;
            }
            LeafReader segment = segments.apply(leaf);
            return new PrefetchingLeafReader(leaf, segment, fieldsOf(segment), documents);
          }
        });
    this.segments = segments;
    this.documents = documents;
  }

  private static Map<String, Optional<VectorField>> fieldsOf(LeafReader leaf) {
    // Keyed by the vector reader: another reader of the same core may search in another way.
    KnnVectorsReader vectors = leaf instanceof CodecReader codec ? codec.getVectorReader() : null;
    return vectors == null
        ? new ConcurrentHashMap<>()
        : SEGMENTS.computeIfAbsent(vectors, _ -> new ConcurrentHashMap<>());
  }

  /**
   * Returns a reader of the same index whose vector searches prefetch. Closing it closes {@code
   * in}. Readers of the same segment share what is known of its vectors, also if the reader of each
   * refresh is wrapped anew.
   */
  public static DirectoryReader wrap(DirectoryReader in) throws IOException {
    return wrap(in, UnaryOperator.identity());
  }

  /**
   * As {@link #wrap(DirectoryReader)}, for a reader whose segments are wrapped in a class that is
   * not Lucene's.
   *
   * @param segments returns the segment within a leaf of {@code in}, such as its {@link
   *     org.apache.lucene.index.FilterLeafReader#getDelegate delegate}, if the leaf's vector
   *     searches do no more than the segment's, and the leaf itself if they do
   */
  public static DirectoryReader wrap(DirectoryReader in, UnaryOperator<LeafReader> segments)
      throws IOException {
    return new PrefetchingDirectoryReader(in, segments, new DocumentSwitch());
  }

  /**
   * Prefetches stored documents that the application will read at once, in any way: the heads of
   * their chunks, which it waits for, and then the blocks that the documents need. Does nothing
   * while few documents come from the device. What cannot be prefetched is left to whoever reads
   * it.
   *
   * @param reader returned by {@code wrap}, or around such a reader
   * @param docs numbers of its documents, of which the first 1,000 are prefetched
   */
  public static void prefetchDocuments(IndexReader reader, int... docs) {
    List<LeafReaderContext> leaves = reader.getContext().leaves();
    PrefetchingLeafReader first =
        leaves.isEmpty() ? null : PrefetchingLeafReader.find(leaves.getFirst().reader());
    if (first != null) {
      long[] begun = PrefetchSwitch.begin();
      boolean on = first.documents.isOn();
      int count = on ? DocumentRound.MOST : first.documents.observed(docs.length);
      int[] prefetched = Arrays.stream(docs).limit(count).sorted().toArray();
      DocumentRound.of(leaves, prefetched).prefetch();
      first.documents.end(begun, on, prefetched.length);
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader reopened) throws IOException {
    return new PrefetchingDirectoryReader(reopened, segments, documents);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  /** Says why nothing is prefetched, if that is so. */
  @Override
  public String toString() {
    String why = NativeCalls.whyAbsent();
    return "PrefetchingDirectoryReader("
        + in
        + (!why.isEmpty()
            ? " prefetches nothing: " + why + ")"
            : VectorField.SUPPORTED ? ")" : " prefetches no vectors: needs Lucene 10.5 or newer)");
  }
}
