// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.warm.WarmStart;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FileSwitchDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.shard.ShardPath;

/**
 * The directory of a shard: opens files as {@link Privileged}, and can tell of itself. It loads
 * files into memory at the first use, since the thread that opens a node's shards must not wait.
 */
final class ShardDirectory extends FilterDirectory {

  /** In the shard's folder, not in that of its files, where a recovery deletes unknown ones. */
  static final String IMAGE = "warm-start.image";

  private static final Logger LOG = LogManager.getLogger(ShardDirectory.class);

  private final StoreType type;
  private final ShardPath path;
  private final FSDirectory files;
  private final Shards shards;
  private volatile @Nullable Directory over;
  private @Nullable WarmStart warm;
  private boolean closed;

  /** A directory over files, which it closes. */
  ShardDirectory(StoreType type, ShardPath path, FSDirectory files, Shards shards) {
    // The node unwraps filters, and would link files of others into the folder, not into memory.
    super(type == StoreType.RAM ? new FileSwitchDirectory(Set.of(), files, files, false) : files);
    this.type = type;
    this.path = path;
    this.files = files;
    this.shards = shards;
  }

  private Directory over() throws IOException {
    Directory opened = over; // without the lock, which is held while a warm start ends
    return opened == null ? openOnce() : opened;
  }

  private synchronized Directory openOnce() throws IOException {
    if (closed) {
      throw new AlreadyClosedException("closed: " + path);
    }
    if (over == null) {
      over = Privileged.call(this::open);
    }
    return over;
  }

  private Directory open() throws IOException {
    String name = type.key + " " + path.getShardId();
    try {
      return type.over(files, shards.memory, name);
    } catch (CorruptIndexException | EOFException | FileNotFoundException | NoSuchFileException e) {
      LOG.warn("{} is damaged: left to the node to recover, and not held in memory", name, e);
      return files;
    }
  }

  /** Does not wait for files that are being loaded. */
  private Directory soFar() {
    return Objects.requireNonNullElse(over, files);
  }

  @Override
  public String[] listAll() throws IOException {
    return over().listAll();
  }

  @Override
  public void deleteFile(String name) throws IOException {
    over().deleteFile(name);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return over().fileLength(name);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    over().sync(names);
  }

  @Override
  public void syncMetaData() throws IOException {
    over().syncMetaData();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    over().rename(from, to);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return Privileged.call(() -> over().openInput(name, context));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return Privileged.call(() -> over().createOutput(name, context));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return Privileged.call(() -> over().createTempOutput(prefix, suffix, context));
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    over().copyFrom(from, src, dest, context);
  }

  /** Starts to load what was in memory last time, or stops and remembers what is now. */
  synchronized void warmStart(boolean on) throws IOException {
    if (type == StoreType.RAM || closed || on == (warm != null)) {
      return;
    }
    if (warm == null) {
      warm =
          Privileged.call(
              () -> WarmStart.builder(over()).image(path.getDataPath().resolve(IMAGE)).start());
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
      IOUtils.close(warm, over, files);
      warm = null;
    }
  }

  ShardStatistics statistics() throws IOException {
    return Privileged.call(
        () -> {
          Directory now = soFar();
          int count = 0;
          long bytes = 0;
          for (String name : now.listAll()) {
            try {
              bytes += now.fileLength(name);
              count++;
            } catch (NoSuchFileException _) {
              // Deleted meanwhile.
            }
          }
          long ram = now instanceof Accountable memory ? memory.ramBytesUsed() : 0;
          long resident =
              type == StoreType.RAM
                  ? ram
                  : WarmStart.residency(now)
                      .map(all -> all.stream().mapToLong(FileResidency::residentBytes).sum())
                      .orElse(-1L);
          return new ShardStatistics(path.getShardId(), type.key, count, bytes, resident, ram);
        });
  }

  /**
   * Says how a file is read, and why.
   *
   * @throws NoSuchFileException if there is no such file
   */
  String explain(String name) throws IOException {
    return Privileged.call(
        () -> {
          soFar().fileLength(name);
          // In memory only, as long as it is not synced.
          boolean onDisk = List.of(files.listAll()).contains(name);
          StoreType as = type == StoreType.RAM && over == files ? StoreType.NIO : type;
          return files instanceof HybridDirectory hybrid && onDisk
              ? hybrid.explain(name)
              : name + ": " + as.access;
        });
  }

  boolean isOf(String index, int shard) {
    return path.getShardId().getIndexName().equals(index) && path.getShardId().id() == shard;
  }
}
