// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.tools.console.Progress;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/**
 * A copy of files into an empty directory, durable and with checksums verified. Commits get their
 * names last: an interrupted copy leaves no commit with a file missing.
 */
final class IndexCopy {
  private IndexCopy() {}

  /**
   * Copies files; if that fails none of them is left.
   *
   * @return how many of them have a checksum
   * @throws CorruptIndexException if one is damaged; its message says in which directory
   */
  static int run(Directory from, Directory to, Collection<String> names) throws IOException {
    Map<String, String> targets = new LinkedHashMap<>();
    for (String name : names) {
      targets.put(name, name.startsWith(IndexFileNames.SEGMENTS) ? "pending_" + name : name);
    }
    try (Progress progress = new Progress()) {
      progress.start("files", names.size());
      for (Map.Entry<String, String> file : targets.entrySet()) {
        progress.step(file.getKey());
        to.copyFrom(from, file.getKey(), file.getValue(), IOContext.DEFAULT);
        progress.stepDone();
      }
      to.sync(targets.values());
      to.syncMetaData();
      int verified = 0;
      for (Map.Entry<String, String> file : targets.entrySet()) {
        verified += isVerified(from, file.getKey(), to, file.getValue()) ? 1 : 0;
      }
      for (Map.Entry<String, String> file : targets.entrySet()) {
        if (!file.getKey().equals(file.getValue())) {
          to.rename(file.getValue(), file.getKey());
        }
      }
      to.syncMetaData();
      return verified;
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(to, names);
      IOUtils.deleteFilesIgnoringExceptions(to, targets.values());
      throw t;
    }
  }

  private static boolean isVerified(Directory from, String name, Directory to, String target)
      throws IOException {
    try {
      return Checksum.isRight(to, target);
    } catch (CorruptIndexException e) {
      // If the original is damaged, the message names it.
      Checksum.isRight(from, name);
      throw e;
    }
  }
}
