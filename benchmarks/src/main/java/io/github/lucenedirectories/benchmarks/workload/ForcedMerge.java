// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A merge of half of an index, by bytes, in a folder of links to its files, so that the index stays
 * as it is. It runs on a thread of its own; what it wrote is deleted in the end.
 */
final class ForcedMerge implements Closeable {
  private static final double NANOS = 1e9;

  private final Path folder;
  private final Directory directory;
  private final IndexWriter writer;
  private final CompletableFuture<Double> seconds;

  private ForcedMerge(Path folder, Directory directory, IndexWriter writer) {
    this.folder = folder;
    this.directory = directory;
    this.writer = writer;
    this.seconds =
        CompletableFuture.supplyAsync(this::run, Thread.ofPlatform().name("forced-merge")::start);
  }

  /** Begins it in a new folder on the file system of the index. */
  static ForcedMerge begin(Variant variant, Path index, Path folder, Path scratch)
      throws IOException {
    try {
      Files.createDirectory(folder);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(index)) {
        for (Path file : files) {
          Files.createLink(folder.resolve(file.getFileName()), file);
        }
      }
    } catch (IOException e) {
      throw new UsageException(
          "--merge needs a folder with links to the index's files next to the index: give an index"
              + " in a folder that may be written to, on a file system with links: "
              + e,
          e);
    }
    Directory directory = variant.read(folder, scratch);
    try {
      if (SegmentInfos.readLatestCommit(directory).size() < 2) {
        throw new UsageException("--merge needs an index of two segments or more: " + index);
      }
      IndexWriterConfig config = new IndexWriterConfig();
      config.setMergePolicy(new HalfPolicy());
      return new ForcedMerge(folder, directory, new IndexWriter(directory, config));
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(directory);
      throw e;
    }
  }

  private double run() {
    long start = System.nanoTime();
    try {
      writer.forceMerge(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (System.nanoTime() - start) / NANOS;
  }

  boolean isDone() {
    return seconds.isDone();
  }

  /** Waits for its end, and returns how long it took by the clock. */
  double seconds() throws IOException {
    try {
      return seconds.join();
    } catch (CompletionException e) {
      throw new IOException("the merge failed", e.getCause());
    }
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      writer.rollback();
    }
    IOUtils.rm(folder);
  }

  /** Merges the largest segments that have half of the bytes together, once. */
  private static final class HalfPolicy extends FilterMergePolicy {
    private boolean asked;

    HalfPolicy() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public @Nullable MergeSpecification findForcedMerges(
        SegmentInfos infos,
        int maxSegmentCount,
        Map<SegmentCommitInfo, Boolean> segmentsToMerge,
        MergeContext mergeContext) {
      if (asked) {
        return null;
      }
      asked = true;
      List<SegmentCommitInfo> segments = new ArrayList<>(infos.asList());
      segments.sort(Comparator.comparingLong(ForcedMerge::bytes).reversed());
      long half = segments.stream().mapToLong(ForcedMerge::bytes).sum() / 2;
      List<SegmentCommitInfo> chosen = new ArrayList<>();
      for (long sum = 0; sum < half || chosen.size() < 2; sum += bytes(chosen.getLast())) {
        chosen.add(segments.get(chosen.size()));
      }
      MergeSpecification specification = new MergeSpecification();
      specification.add(new OneMerge(chosen));
      return specification;
    }
  }

  private static long bytes(SegmentCommitInfo segment) {
    try {
      return segment.sizeInBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
