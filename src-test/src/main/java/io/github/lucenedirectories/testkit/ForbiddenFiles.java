package io.github.lucenedirectories.testkit;

import java.io.IOException;
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
import java.util.function.BooleanSupplier;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/** A file system that answers every question about a file with a {@link SecurityException}. */
public final class ForbiddenFiles extends FilterFileSystemProvider {

  private final BooleanSupplier forbidden;

  private ForbiddenFiles(Path path, BooleanSupplier forbidden) {
    super("forbidden://", path.getFileSystem());
    this.forbidden = forbidden;
  }

  /** The same file, about which nothing can be known. */
  public static Path of(Path path) {
    return of(path, () -> true);
  }

  /** The same file, about which nothing can be known while {@code forbidden} says so. */
  public static Path of(Path path, BooleanSupplier forbidden) {
    return new ForbiddenFiles(path, forbidden).wrapPath(path);
  }

  private Path check(Path path) {
    if (forbidden.getAsBoolean()) {
      throw new SecurityException("forbidden: " + path);
    }
    return path;
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return super.newByteChannel(check(path), options, attributes);
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    return super.newInputStream(check(path), options);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    super.checkAccess(check(path), modes);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return super.readAttributes(check(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return super.readAttributes(check(path), attributes, options);
  }
}
