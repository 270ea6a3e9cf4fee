package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which file a path named, and checks whether it still does.
 *
 * <p>The system gives the key of an open file to no other file. For a file that is not open, the
 * answer may be wrong.
 */
final class FileIdentity {

  private final Path path;

  /** Null where the file system has none. */
  private final @Nullable Object key;

  private final long bytes;

  private FileIdentity(Path path, BasicFileAttributes attributes) {
    this.path = path;
    this.key = attributes.fileKey();
    this.bytes = attributes.size();
  }

  /**
   * The file that the path names now.
   *
   * @throws java.nio.file.NoSuchFileException if it names no file
   */
  static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, Files.readAttributes(path, BasicFileAttributes.class));
  }

  long bytes() {
    return bytes;
  }

  /** Whether the path still names the same file; false if that cannot be known. */
  boolean holds() {
    try {
      return key != null && key.equals(of(path).key);
    } catch (IOException | SecurityException _) {
      return false;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
