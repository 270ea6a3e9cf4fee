package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the index in a folder when the folder has changed. One thread at a time may use it. */
final class IndexFolder {

  private final Path folder;

  /** When the folder had changed last as it was measured; null before that. */
  private @Nullable FileTime known;

  IndexFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * The index as it is now; empty if no file was made, deleted or renamed since the last call that
   * returned it.
   */
  Optional<MemoryDemand.Index> ifChanged() throws IOException {
    FileTime changed = Files.getLastModifiedTime(folder);
    if (changed.equals(known)) {
      return Optional.empty();
    }
    long stored = 0;
    long other = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (ReadChooser.isStored(file.getFileName().toString())) {
          stored += bytesOf(file);
        } else {
          other += bytesOf(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    known = changed;
    return Optional.of(new MemoryDemand.Index(folder, stored, other));
  }

  private static long bytesOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException _) {
      // Deleted meanwhile.
      return 0;
    }
  }
}
