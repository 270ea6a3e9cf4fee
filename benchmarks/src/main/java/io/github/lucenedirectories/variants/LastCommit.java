// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import io.github.lucenedirectories.tools.ExistingIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;

/** The files of an index's last commit. */
public final class LastCommit {

  private LastCommit() {}

  /** Copies them, the segments file too, into a directory, and syncs them there. */
  public static void copy(Path index, Directory target) throws IOException {
    try (Directory source = new MMapDirectory(index)) {
      Collection<String> names = SegmentInfos.readLatestCommit(source).files(true);
      for (String name : names) {
        target.copyFrom(source, name, name, IOContext.DEFAULT);
      }
      target.sync(names);
    }
  }

  /** Copies them into a new directory, which is closed if that fails. */
  static Directory copied(Path index, Directory target) throws IOException {
    try {
      copy(index, target);
      return target;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(target);
      throw e;
    }
  }

  /** The length of all files in a directory. */
  static long bytes(Directory directory) throws IOException {
    return ExistingIndex.bytes(directory, List.of(directory.listAll()));
  }
}
