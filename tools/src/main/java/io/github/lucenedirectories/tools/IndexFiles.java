// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.internal.os.Parallel;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.tools.console.Progress;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/** The files of an index that a writer may change meanwhile. */
final class IndexFiles {

  /** How often the commits are read again if one cannot be read. */
  private static final int TRIES = 100;

  private IndexFiles() {}

  /** A commit, and the names of all its files. */
  record CommitFiles(SegmentInfos infos, List<String> names) {}

  /** Opens an index to read it; neither makes nor locks anything. */
  static NioDirectory open(Path folder) throws IOException {
    ExistingIndex.checkFolder(folder);
    return new NioDirectory(folder, NoLockFactory.INSTANCE);
  }

  /** All commits, the oldest first; those that cannot be read are an error if the map is null. */
  static List<CommitFiles> commits(Directory directory, @Nullable Map<String, String> unreadable)
      throws IOException {
    for (int i = 0; ; i++) {
      List<CommitFiles> commits = new ArrayList<>();
      boolean any = false;
      boolean changed = false;
      for (String name : directory.listAll()) {
        if (name.startsWith("segments_")) {
          any = true;
          try {
            SegmentInfos infos = SegmentInfos.readCommit(directory, name);
            commits.add(new CommitFiles(infos, List.copyOf(infos.files(true))));
          } catch (IOException | IllegalArgumentException e) {
            // A writer may have deleted the commit meanwhile: then it is gone the next time.
            changed = i < TRIES;
            if (!changed) {
              if (unreadable == null) {
                throw e instanceof IOException io ? io : new IOException(e);
              }
              unreadable.put(name, e.toString().lines().findFirst().orElse(""));
            }
          }
        }
      }
      if (!any && i == TRIES) {
        throw new UsageException("not an index: " + directory + " has no segments file");
      }
      if (any && !changed) {
        commits.sort(Comparator.comparingLong(commit -> commit.infos.getGeneration()));
        return commits;
      }
    }
  }

  /** The files of all commits. */
  static Set<String> names(List<CommitFiles> commits) {
    Set<String> names = new TreeSet<>();
    commits.forEach(commit -> names.addAll(commit.names));
    return names;
  }

  /** Runs a task for each file on several threads, and shows how many are done. */
  static void forEach(Set<String> names, int threads, IOConsumer<String> task) throws IOException {
    try (Progress progress = new Progress()) {
      progress.start("files", names.size());
      Parallel.forEach(
          List.copyOf(names),
          Math.max(1, threads),
          name -> {
            task.accept(name);
            progress.stepDone();
          });
    }
  }
}
