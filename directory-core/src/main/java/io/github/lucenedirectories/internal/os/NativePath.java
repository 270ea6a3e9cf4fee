// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.util.Unwrappable;

/** The path of a file in the form that {@link NativeCalls} needs. */
public final class NativePath {

  // Constants of <errno.h>.
  private static final int ENOENT = 2;
  private static final int EACCES = 13;

  /** The character set of names of files. */
  static final Charset CHARSET = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private final String name;

  private NativePath(String name) {
    this.name = name;
  }

  /**
   * The path without the wrappers that a test may have added; empty if the path is not on the
   * default file system or cannot be encoded in the platform's character set.
   */
  public static Optional<NativePath> of(Path path) {
    Path unwrapped = Unwrappable.unwrapAll(path);
    FileSystem fileSystem = unwrapped.getFileSystem();
    // The default file system may be replaced; only the JDK's own has real paths.
    if (fileSystem != FileSystems.getDefault()
        || fileSystem.getClass().getModule() != Object.class.getModule()) {
      return Optional.empty();
    }
    Path absolute = unwrapped.toAbsolutePath();
    String name = absolute.toString();
    // Invalid bytes in a name are decoded to other characters.
    return CHARSET.newEncoder().canEncode(name) && Path.of(name).equals(absolute)
        ? Optional.of(new NativePath(name))
        : Optional.empty();
  }

  /** The path in the platform's character set, terminated by NUL. */
  MemorySegment allocateIn(SegmentAllocator memory) {
    return memory.allocateFrom(ValueLayout.JAVA_BYTE, (name + '\0').getBytes(CHARSET));
  }

  /**
   * The exception to throw when the system refused a call on this path.
   *
   * @param reason what {@code errno} means
   */
  IOException failure(int errno, String reason) {
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(name);
      case EACCES -> new AccessDeniedException(name);
      default -> new FileSystemException(name, null, reason);
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
