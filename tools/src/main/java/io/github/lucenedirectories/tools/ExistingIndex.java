// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Looks at an index that a user names, without writing to it. */
public final class ExistingIndex {

  private ExistingIndex() {}

  /** Refuses a path that has no index, or one that a writer has open. */
  public static void check(Path path) throws IOException {
    checkFolder(path);
    try (Directory directory = new MMapDirectory(path)) {
      if (!DirectoryReader.indexExists(directory)) {
        throw new UsageException("not an index: " + path + " has no segments file");
      }
      if (isLocked(path.resolve(IndexWriter.WRITE_LOCK_NAME))) {
        throw new UsageException("locked index: a writer has " + path + " open; close it first");
      }
      DirectoryReader.open(directory).close();
    } catch (IOException | IllegalArgumentException e) {
      throw UsageException.because("cannot read the index " + path, e);
    }
  }

  /** Refuses a path that is no folder, without Lucene. */
  public static void checkFolder(Path path) {
    if (!Files.exists(path)) {
      throw new UsageException("no such folder: " + path);
    }
    if (!Files.isDirectory(path)) {
      throw new UsageException("not a folder: " + path);
    }
  }

  /** Refuses a field that is none of those that have terms. */
  public static void checkField(String wanted, List<String> fields) {
    if (!fields.contains(wanted)) {
      throw new UsageException(
          "no field '"
              + wanted
              + "' with terms in the index: choose from "
              + fields.stream().sorted().collect(Collectors.joining(", ")));
    }
  }

  public static long bytes(Directory directory, Collection<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    return bytes;
  }

  /** Asks for a shared lock, which a writer's exclusive one refuses; creates no file. */
  private static boolean isLocked(Path lockFile) throws IOException {
    if (!Files.exists(lockFile)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }
}
