package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Which file a path named at a moment, and whether it still does.
 *
 * <p>The system gives a file's key to no other file while the file is open. Of a file that is not
 * open, the answer may be wrong.
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
   * What the path names now.
   *
   * @throws java.nio.file.NoSuchFileException if it names no file
   */
  static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, Files.readAttributes(path, BasicFileAttributes.class));
  }

  long bytes() {
    return bytes;
  }

  /** Whether the path names the same file still; false if that cannot be known. */
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
