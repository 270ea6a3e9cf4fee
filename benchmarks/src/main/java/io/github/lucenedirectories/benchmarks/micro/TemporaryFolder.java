package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A new folder that is deleted with all it holds when this object is closed.
 *
 * <p>It is made inside the folder that {@value #PARENT_PROPERTY} names, where that is set: the
 * command sets it for the JVMs it starts, so that it can delete what a killed one left behind.
 */
final class TemporaryFolder implements Closeable {
  static final String PARENT_PROPERTY = "lucene.directories.micro.folder";

  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  static TemporaryFolder create() throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent(), "lucene-directories-micro-"));
  }

  /** Where such folders are made. */
  static Path parent() {
    String named = System.getProperty(PARENT_PROPERTY);
    return Path.of(named == null ? System.getProperty("java.io.tmpdir") : named);
  }

  Path path() {
    return path;
  }

  /** Deletes the folder; a second call finds nothing to do. */
  @Override
  public void close() throws IOException {
    Workspace.deleteTree(path);
  }
}
