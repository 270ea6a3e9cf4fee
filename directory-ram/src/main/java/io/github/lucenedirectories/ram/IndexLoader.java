// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.LoadProgress;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.Directory;

/** Loads the files of an index into memory, in parallel, and verifies their checksums. */
final class IndexLoader {

  private final String name;
  private final int threads;
  private final LoadProgress progress;
  private long loaded;

  IndexLoader(String name, int threads, LoadProgress progress) {
    this.name = name;
    this.threads = threads;
    this.progress = progress;
  }

  /**
   * The names of the files of all commits; empty if there is no commit.
   *
   * @throws IOException if a commit cannot be read
   */
  static Set<String> committedFiles(Directory source) throws IOException {
    Set<String> names = new TreeSet<>();
    try {
      for (IndexCommit commit : DirectoryReader.listCommits(source)) {
        names.addAll(commit.getFileNames());
      }
    } catch (IndexNotFoundException _) {
      return Set.of();
    }
    return names;
  }

  /**
   * Loads files.
   *
   * @throws org.apache.lucene.index.CorruptIndexException if the checksum of a file is wrong
   * @throws IOException if a file cannot be read, or the files do not fit the limit
   */
  void load(Directory source, Collection<String> names, OffHeapMemory memory, MemoryFileTable files)
      throws IOException {
    List<LoadingFile> loading = new ArrayList<>();
    for (String name : names) {
      loading.add(new LoadingFile(source, name));
    }
    long total = loading.stream().mapToLong(LoadingFile::length).sum();
    if (total > memory.maxBytes()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "the index does not fit: indexBytes=%s, maxBytes=%s: %s; raise the limit",
              total,
              memory.maxBytes(),
              source));
    }
    // The largest first, so that no large file is left for one thread at the end.
    List<LoadingFile.Piece> pieces =
        loading.stream()
            .sorted(Comparator.comparingLong(file -> -file.length()))
            .flatMap(file -> file.pieces().stream())
            .toList();
    try {
      Parallel.forEach(
          pieces,
          threads,
          "load",
          piece -> {
            piece.load(memory, files);
            report(piece.bytes(), total);
          });
    } finally {
      for (LoadingFile file : loading) {
        file.abandon();
      }
    }
  }

  private synchronized void report(long bytes, long total) {
    loaded += bytes;
    progress.loaded(name, loaded, total);
  }
}
