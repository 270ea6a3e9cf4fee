// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.Opening;
import io.github.lucenedirectories.variants.CachedDirectory;
import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import io.github.lucenedirectories.vectors.PrefetchingSearcherFactory;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory with a reader, a searcher for each thread and, if there is an image, a warm start.
 */
record OpenIndex(
    Directory directory,
    @Nullable WarmStart warm,
    AtomicLong loaded,
    IndexReader reader,
    List<SearchContext> contexts,
    Opening opening)
    implements Closeable {

  private static final double NANOS = 1e9;
  private static final Duration MOST_LOADING = Duration.ofMinutes(1);

  /**
   * Opens an index, and measures what that takes.
   *
   * @param column says whether the reader prefetches, or the application announces documents
   * @param image of the warm start; null for none
   */
  static OpenIndex open(
      IOSupplier<Directory> opener, int threads, Column column, @Nullable Path image)
      throws IOException {
    boolean prefetches = column.settings().containsKey(SearchFork.PREFETCH);
    boolean announces = column.settings().containsKey(SearchFork.ANNOUNCES);
    ProcessReading before = ProcessReading.now();
    long start = System.nanoTime();
    AtomicLong loaded = new AtomicLong();
    Directory directory = opener.get();
    WarmStart warm = null;
    try {
      if (image != null) {
        warm =
            WarmStart.builder(directory)
                .image(image)
                .progress((_, bytes, _) -> loaded.set(bytes))
                .start();
      }
      DirectoryReader plain = DirectoryReader.open(directory);
      IndexReader reader = prefetches ? PrefetchingDirectoryReader.wrap(plain) : plain;
      double seconds = (System.nanoTime() - start) / NANOS;
      SearcherFactory searchers =
          prefetches ? new PrefetchingSearcherFactory() : new SearcherFactory();
      List<SearchContext> contexts = new ArrayList<>();
      while (contexts.size() < threads) {
        // A prefetching reader knows the hits, but not what else the application will read.
        contexts.add(
            new SearchContext(
                searchers.newSearcher(reader, null), announces || prefetches, announces));
      }
      Opening opening = new Opening(seconds, ProcessReading.now().since(before));
      return new OpenIndex(directory, warm, loaded, reader, contexts, opening);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(warm, directory);
      throw e;
    }
  }

  /** What the warm start has loaded, once it has ended; 0 without one. */
  long loadedBytes() throws IOException {
    try {
      if (warm != null) {
        warm.awaitLoaded(MOST_LOADING);
      }
      return loaded.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Figures of the directory since the last call. */
  Map<String, Double> takeFigures() {
    return directory instanceof CachedDirectory cached ? cached.takeFigures() : Map.of();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(reader, warm, directory);
  }
}
