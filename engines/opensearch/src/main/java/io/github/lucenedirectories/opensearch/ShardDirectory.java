package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.warm.WarmStart;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.shard.ShardPath;

/** The directory of a shard: opens files as {@link Privileged}, and can tell of itself. */
final class ShardDirectory extends FilterDirectory {

  /** In the shard's folder, not in that of its files, where a recovery deletes unknown ones. */
  static final String IMAGE = "warm-start.image";

  private final StoreType type;
  private final ShardPath path;
  private final FSDirectory files;
  private final Shards shards;
  private @Nullable WarmStart warm;
  private boolean closed;

  /**
   * A directory over others, which it closes.
   *
   * @param in reads the files
   * @param files where they are on the file system
   */
  ShardDirectory(StoreType type, ShardPath path, Directory in, FSDirectory files, Shards shards) {
    super(in);
    this.type = type;
    this.path = path;
    this.files = files;
    this.shards = shards;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return Privileged.call(() -> in.openInput(name, context));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return Privileged.call(() -> in.createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return Privileged.call(() -> in.createTempOutput(prefix, suffix, context));
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    in.copyFrom(from, src, dest, context);
  }

  /** Starts to load what was in memory last time, or stops and remembers what is now. */
  synchronized void warmStart(boolean on) throws IOException {
    if (type == StoreType.RAM || closed || on == (warm != null)) {
      return;
    }
    if (warm == null) {
      warm =
          Privileged.call(
              () -> WarmStart.builder(in).image(path.getDataPath().resolve(IMAGE)).start());
    } else {
      warm.close();
      warm = null;
    }
  }

  @Override
  public void close() throws IOException {
    shards.remove(this);
    synchronized (this) {
      closed = true;
      IOUtils.close(warm, in, files);
      warm = null;
    }
  }

  ShardStatistics statistics() throws IOException {
    return Privileged.call(
        () -> {
          int count = 0;
          long bytes = 0;
          for (String name : in.listAll()) {
            try {
              bytes += in.fileLength(name);
              count++;
            } catch (NoSuchFileException _) {
              // Deleted meanwhile.
            }
          }
          long ram = in instanceof Accountable memory ? memory.ramBytesUsed() : 0;
          return new ShardStatistics(path.getShardId(), type.key, count, bytes, resident(ram), ram);
        });
  }

  private long resident(long ram) throws IOException {
    if (type == StoreType.RAM) {
      return ram;
    }
    Optional<List<FileResidency>> told = WarmStart.residency(in);
    return told.map(all -> all.stream().mapToLong(FileResidency::residentBytes).sum()).orElse(-1L);
  }

  /**
   * Says how a file is read, and why.
   *
   * @throws NoSuchFileException if there is no such file
   */
  String explain(String name) throws IOException {
    return Privileged.call(
        () -> {
          in.fileLength(name);
          // In memory only, as long as it is not synced.
          boolean onDisk = List.of(files.listAll()).contains(name);
          return files instanceof HybridDirectory hybrid && onDisk
              ? hybrid.explain(name)
              : name + ": " + type.access;
        });
  }

  boolean isOf(String index, int shard) {
    return path.getShardId().getIndexName().equals(index) && path.getShardId().id() == shard;
  }
}
