package io.github.lucenedirectories.testkit;

import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/** A file system that answers every question about a file with a {@link SecurityException}. */
public final class ForbiddenFiles extends FilterFileSystemProvider {

  private ForbiddenFiles(Path path) {
    super("forbidden://", path.getFileSystem());
  }

  /** The same file, about which nothing can be known. */
  public static Path of(Path path) {
    return new ForbiddenFiles(path).wrapPath(path);
  }

  private static SecurityException forbidden(Path path) {
    return new SecurityException("forbidden: " + path);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    throw forbidden(path);
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) {
    throw forbidden(path);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) {
    throw forbidden(path);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) {
    throw forbidden(path);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
    throw forbidden(path);
  }
}
