package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOUtils;

/** A RamDirectory that is durable through a MappedDirectory, closed together with it. */
public final class BackedRamDirectory extends FilterDirectory {
  private final Directory backing;

  private BackedRamDirectory(Directory memory, Directory backing) {
    super(memory);
    this.backing = backing;
  }

  /** One whose backing has its files in a folder, where commits may be. The caller closes it. */
  public static BackedRamDirectory open(Path folder) throws IOException {
    Directory backing = new MappedDirectory(folder);
    try {
      return new BackedRamDirectory(RamDirectory.builder().backing(backing).build(), backing);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(backing);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(in, backing);
  }
}
