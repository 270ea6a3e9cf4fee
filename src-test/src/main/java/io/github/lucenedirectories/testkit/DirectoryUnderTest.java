package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * One directory, with one choice of its options, that every suite is run against.
 *
 * @param name what a report calls it: the class and the options
 * @param factory opens it
 * @param capabilities what it is able to do
 * @param chunkedFactory opens it with files cut in chunks of a given length, or null if it cannot
 */
public record DirectoryUnderTest(
    String name,
    Factory factory,
    Capabilities capabilities,
    @Nullable ChunkedFactory chunkedFactory) {

  /** Opens a directory. One that keeps no files ignores the path. */
  @FunctionalInterface
  public interface Factory {
    Directory open(Path path) throws IOException;
  }

  /** Opens a directory whose files longer than {@code chunkBytes}, a power of two, are cut. */
  @FunctionalInterface
  public interface ChunkedFactory {
    Directory open(Path path, long chunkBytes) throws IOException;
  }

  /** Opens the directory at {@code path}. */
  public Directory open(Path path) throws IOException {
    return factory.open(path);
  }

  /** Whether the length of chunks can be chosen. */
  public boolean chunkable() {
    return chunkedFactory != null;
  }

  /** The same directory with files cut in chunks of {@code chunkBytes}, a power of two. */
  public DirectoryUnderTest chunked(long chunkBytes) {
    ChunkedFactory chunks = chunkedFactory;
    if (chunks == null) {
      throw new IllegalStateException("cannot be cut in chunks: " + name);
    }
    return new DirectoryUnderTest(
        name + "(chunkBytes=" + chunkBytes + ")",
        path -> chunks.open(path, chunkBytes),
        capabilities.withChunkBytes(chunkBytes),
        null);
  }

  @Override
  public String toString() {
    return name;
  }
}
