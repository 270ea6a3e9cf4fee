package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures the index in a folder when it has changed, or may have. One thread at a time may use it.
 */
final class IndexFolder {

  /** A file that grows does not change its folder, nor does a change within a tick of its clock. */
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path folder;

  /** When the folder was measured last. */
  private long measured;

  /** When the folder had changed last as it was measured; null before that. */
  private @Nullable FileTime known;

  IndexFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * The index as it is now; empty if no file was made, deleted or renamed since the last call that
   * returned it, half a minute ago at most.
   */
  Optional<MemoryDemand.Index> ifChanged() throws IOException {
    FileTime changed = Files.getLastModifiedTime(folder);
    long now = System.nanoTime();
    if (changed.equals(known) && now - measured < KNOWN_NANOS) {
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
    measured = now;
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
