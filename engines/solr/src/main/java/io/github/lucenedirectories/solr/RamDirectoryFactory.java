// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;
import org.apache.solr.handler.IndexFetcher;
import org.jspecify.annotations.Nullable;

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

  /**
   * Syncs an index before Solr makes it the core's index. Solr does not sync one that it restores
   * from a backup, so a restart before the next commit would lose it.
   */
  @Override
  public void renameWithOverwrite(Directory directory, String name, String to) throws IOException {
    if (to.equals(IndexFetcher.INDEX_PROPERTIES)) {
      Properties properties = new Properties();
      try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
        byte[] bytes = new byte[(int) in.length()];
        in.readBytes(bytes, 0, bytes.length);
        properties.load(new StringReader(new String(bytes, StandardCharsets.UTF_8)));
      }
      Directory index = open(getPath(directory) + "/" + properties.getProperty("index"));
      if (index != null) {
        index.sync(Set.of(index.listAll()));
        index.syncMetaData();
      }
    }
    super.renameWithOverwrite(directory, name, to);
  }

  private synchronized @Nullable Directory open(String path) throws IOException {
    CacheValue opened = byPathCache.get(normalize(path));
    return opened == null ? null : opened.directory;
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
