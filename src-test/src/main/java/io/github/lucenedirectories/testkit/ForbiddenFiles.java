// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.nio.file.Path;
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

  /** What every operation on a file of this system begins with. */
  @Override
  protected Path toDelegate(Path path) {
    if (forbidden.getAsBoolean()) {
      throw new SecurityException("forbidden: " + path);
    }
    return super.toDelegate(path);
  }
}
