package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Which file a path named at a moment, and whether it still does.
 *
 * <p>The system gives a file's key to no other file as long as somebody has it open. Of a file that
 * is not open, the answer may be wrong.
 */
final class FileIdentity {

  private final Path path;

  /** Null where the file system has none. */
  private final @Nullable Object key;

  private FileIdentity(Path path, @Nullable Object key) {
    this.path = path;
    this.key = key;
  }

  /**
   * What the path names now.
   *
   * @throws java.nio.file.NoSuchFileException if it names no file
   */
  static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, keyOf(path));
  }

  /** Whether the path names the same file still; false if that cannot be known. */
  boolean holds() {
    try {
      return key != null && key.equals(keyOf(path));
    } catch (IOException _) {
      return false;
    }
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }
}
