// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.LoadProgress;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.MemoryLimitException;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * Loads the files of all commits of an index into memory, in parallel, and verifies their
 * checksums. The newest commit must be whole; an older one that is not is skipped with a warning,
 * because {@code DirectoryReader.open} would not read it either.
 */
final class IndexLoader {

  private static final Logger LOG = Logger.getLogger(IndexLoader.class.getName());

  private final String name;
  private final LoadProgress progress;
  private long loadedBytes;
  private long totalBytes;

  IndexLoader(String name, LoadProgress progress) {
    this.name = name;
    this.progress = progress;
  }

  /**
   * Loads the commits of an index.
   *
   * @return the names of the loaded files; empty if there is no commit
   * @throws org.apache.lucene.index.CorruptIndexException if the newest commit is damaged
   * @throws IOException if the newest commit cannot be read, or the files do not fit the limit
   */
  Set<String> load(Directory source, OffHeapMemory memory, MemoryFileTable files)
      throws IOException {
    SegmentInfos newest;
    try {
      newest = SegmentInfos.readLatestCommit(new Commits(source), 0);
    } catch (IndexNotFoundException _) {
      return Set.of();
    }
    Map<String, Long> lengths = lengths(source, newest);
    Map<String, Map<String, Long>> older = olderCommits(source, newest);
    Map<String, Long> all = new TreeMap<>(lengths);
    older.values().forEach(all::putAll);
    totalBytes = sum(all);
    ensureFits(totalBytes, memory, source);
    load(source, lengths, memory, files);
    Set<String> loaded = new TreeSet<>(lengths.keySet());
    for (Map.Entry<String, Map<String, Long>> commit : older.entrySet()) {
      Map<String, Long> missing = commit.getValue();
      missing.keySet().removeAll(loaded);
      long before = loadedBytes;
      try {
        load(source, missing, memory, files);
        loaded.addAll(missing.keySet());
      } catch (MemoryLimitException e) {
        throw e;
      } catch (IOException e) {
        warn(source, commit.getKey(), e);
        missing.keySet().forEach(files::delete);
        totalBytes -= sum(missing);
        loadedBytes = before;
      }
    }
    return loaded;
  }

  private static Map<String, Long> lengths(Directory source, SegmentInfos commit)
      throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (String file : commit.files(true)) {
      lengths.put(file, source.fileLength(file));
    }
    return lengths;
  }

  private static long sum(Map<String, Long> lengths) {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The older commits that have all their files, by name, with the lengths of those files. */
  private static Map<String, Map<String, Long>> olderCommits(Directory source, SegmentInfos newest)
      throws IOException {
    Map<String, Map<String, Long>> commits = new TreeMap<>();
    for (String name : new Commits(source).listAll()) {
      if (SegmentInfos.generationFromSegmentsFileName(name) < newest.getGeneration()) {
        try {
          commits.put(name, lengths(source, SegmentInfos.readCommit(source, name, 0)));
        } catch (IOException | IllegalArgumentException e) {
          // An IllegalArgumentException says that the codec of the commit is unknown.
          warn(source, name, e);
        }
      }
    }
    return commits;
  }

  /** A directory that lists only commits: Lucene fails on other names that begin as theirs do. */
  private static final class Commits extends FilterDirectory {
    Commits(Directory directory) {
      super(directory);
    }

    @Override
    public String[] listAll() throws IOException {
      return Stream.of(in.listAll()).filter(IndexLoader::isCommit).toArray(String[]::new);
    }
  }

  /** Whether Lucene gives a commit such a name. */
  static boolean isCommit(String name) {
    try {
      return name.startsWith(IndexFileNames.SEGMENTS)
          && name.equals(
              IndexFileNames.fileNameFromGeneration(
                  IndexFileNames.SEGMENTS, "", SegmentInfos.generationFromSegmentsFileName(name)));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static void warn(Directory source, String commit, Exception cause) {
    LOG.warning(
        () ->
            "an older commit is damaged and was not loaded: "
                + commit
                + ": "
                + cause
                + ": "
                + source);
  }

  private static void ensureFits(long bytes, OffHeapMemory memory, Directory source)
      throws IOException {
    if (bytes > memory.maxBytes()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "the index does not fit: indexBytes=%s, maxBytes=%s: %s; raise the limit",
              bytes,
              memory.maxBytes(),
              source));
    }
  }

  private void load(
      Directory source, Map<String, Long> lengths, OffHeapMemory memory, MemoryFileTable files)
      throws IOException {
    Collection<LoadingFile> loading =
        lengths.entrySet().stream()
            .map(file -> new LoadingFile(source, file.getKey(), file.getValue()))
            .toList();
    // The largest first, so that no large file is left for one thread at the end.
    List<LoadingFile.Piece> pieces =
        loading.stream()
            .sorted(Comparator.comparingLong(file -> -file.length()))
            .flatMap(file -> file.pieces().stream())
            .toList();
    try {
      Parallel.forEach(
          pieces,
          Runtime.getRuntime().availableProcessors(),
          piece -> {
            piece.load(memory, files);
            report(piece.bytes());
          });
    } finally {
      for (LoadingFile file : loading) {
        file.abandon(memory);
      }
    }
  }

  private synchronized void report(long bytes) {
    loadedBytes += bytes;
    progress.loaded(name, loadedBytes, totalBytes);
  }
}
