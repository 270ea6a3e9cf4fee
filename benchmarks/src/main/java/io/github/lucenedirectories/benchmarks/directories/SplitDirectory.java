package io.github.lucenedirectories.benchmarks.directories;

import java.io.IOException;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * Reads some files of an index from memory and the others from a file system. An input comes
 * straight from its directory, with no class of ours around it. Owns both directories.
 */
final class SplitDirectory extends ReadOnlyDirectory {
  private final Directory memory;
  private final Set<String> inMemory;

  /**
   * @param inMemory the names to read from {@code memory}
   */
  SplitDirectory(Directory files, Directory memory, Set<String> inMemory) {
    super(files);
    this.memory = memory;
    this.inMemory = Set.copyOf(inMemory);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return inMemory.contains(name) ? memory.fileLength(name) : in.fileLength(name);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return inMemory.contains(name) ? memory.openInput(name, context) : in.openInput(name, context);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(memory, in);
  }
}
