package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;

/**
 * Makes {@link RamDirectory}s that are backed by the core's folder: for an index in memory that
 * survives restarts. A hard commit is durable in the folder, and a start loads it.
 *
 * <p>Option {@code maxMB}: the limit of the memory of each index; by default that of {@link
 * RamDirectory.Builder#maxBytes}. While a follower fetches a whole new index, it has two.
 *
 * <p>Files beside the index, such as {@code index.properties}, stay files.
 */
public final class RamDirectoryFactory extends FolderDirectoryFactory {

  /** The names that Solr gives to folders of indexes. */
  private static final Pattern INDEX = Pattern.compile("index|(index|restore)\\..*");

  private long maxBytes;

  /** Called by Solr. */
  public RamDirectoryFactory() {}

  @Override
  void configure(Options options) {
    maxBytes = options.bytes("maxMB");
  }

  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    Path folder = Path.of(path);
    MappedDirectory files = new MappedDirectory(folder, locks);
    if (!INDEX.matcher(String.valueOf(folder.getFileName())).matches()) {
      return files;
    }
    try {
      RamDirectory.Builder builder = RamDirectory.builder().backing(files);
      return new Backed((maxBytes == 0 ? builder : builder.maxBytes(maxBytes)).build(), files);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(files);
      throw e;
    }
  }

  @Override
  public void move(Directory from, Directory to, String name, IOContext context)
      throws IOException {
    moveByCopying(from, to, name, context);
  }

  /** A directory in memory that closes its files. */
  private static final class Backed extends FilterDirectory {

    private final FSDirectory files;

    Backed(RamDirectory memory, FSDirectory files) {
      super(memory);
      this.files = files;
    }

    @Override
    public void close() throws IOException {
      IOUtils.close(in, files);
    }
  }
}
