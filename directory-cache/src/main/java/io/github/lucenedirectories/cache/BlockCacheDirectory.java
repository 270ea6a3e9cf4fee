// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.file.WarmFiles;
import io.github.lucenedirectories.internal.store.Copying;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * A directory that reads another one through a {@link BlockCache}.
 *
 * {@snippet :
 * try (BlockCache cache = BlockCache.builder().maxBytes(64 << 20).build();
 *     Directory directory = new BlockCacheDirectory(new NioDirectory(path), cache);
 *     DirectoryReader reader = DirectoryReader.open(directory)) {
 *   new IndexSearcher(reader).search(MatchAllDocsQuery.INSTANCE, 10);
 *   double misses = cache.metrics().get("cache.misses");
 * }
 * }
 *
 * <p>Use it for an index that is larger than the memory it may take, on storage where a read costs
 * more than a copy. Lucene cannot decode from it with SIMD instructions. Merges and other readers
 * of whole files bypass the cache. Files that are opened with {@link ReadOnceHint} are opened in
 * the other directory directly. Everything but reading is left to the other directory: durability,
 * names and locks are its own. While this directory is open, its files must be created, renamed and
 * deleted through it.
 *
 * <p>{@link #close} closes the other directory, and not the cache. All methods may be called from
 * any thread.
 */
@SuppressWarnings("exports") // users see the methods of FilterDirectory
public final class BlockCacheDirectory extends FilterDirectory implements WarmFiles, MetricSource {

  private final BlockCache cache;
  private final CachePartition partition;
  private final ContentTable contents;

  /** Reads a directory through a cache and may fill all of it. */
  public BlockCacheDirectory(Directory delegate, BlockCache cache) {
    this(delegate, cache, Long.MAX_VALUE);
  }

  /**
   * Reads a directory through a cache.
   *
   * @param maxBytes the most bytes of the cache that this directory uses; at least one block
   */
  public BlockCacheDirectory(Directory delegate, BlockCache cache, long maxBytes) {
    super(delegate);
    if (maxBytes < cache.blockBytes()) {
      throw new IllegalArgumentException(
          "maxBytes must be at least a block: maxBytes="
              + maxBytes
              + ", blockBytes="
              + cache.blockBytes());
    }
    this.cache = cache;
    partition = cache.partition(maxBytes);
    contents = new ContentTable(name -> cache.newContent(name, partition));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return in.openInput(name, context);
    }
    CachedContent taken = contents.take(name);
    try {
      IndexInput input = in.openInput(name, context);
      CachedContent content = contents.confirm(taken, input.length());
      if (!content.hasKey(input.length() / cache.blockBytes())) {
        release(content);
        return input;
      }
      DelegateReads file = new DelegateReads(input);
      return new BlockIndexInput(
          "BlockIndexInput(file=" + name + ")",
          name,
          new CachedFile(cache, content, file, () -> release(content)),
          ReadSizes.DEFAULT,
          null,
          context);
    } finally {
      release(taken);
    }
  }

  private void release(CachedContent content) {
    if (contents.release(content)) {
      cache.blocks().drop(content);
    }
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    beginChange(name);
    try {
      return in.createOutput(name, context);
    } finally {
      contents.endChange(name);
    }
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    beginChange(output.getName());
    contents.endChange(output.getName());
    return output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    beginChange(name);
    try {
      in.deleteFile(name);
    } finally {
      contents.endChange(name);
    }
  }

  /** Copies a file. If there is a file {@code dest}, it stays as it is and the copy fails. */
  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    Copying.copy(from, src, this, dest, context);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    beginChange(source);
    beginChange(dest);
    try {
      in.rename(source, dest);
    } finally {
      contents.endChange(source);
      contents.endChange(dest);
    }
  }

  private void beginChange(String name) {
    contents.beginChange(name).forEach(cache.blocks()::drop);
  }

  @Override
  public int unitBytes() {
    return cache.blockBytes();
  }

  @Override
  public long roomBytes(long residentBytes) {
    // Whole blocks: the end of a file takes one, however short it is.
    return (long) cache.blocks().room(partition) * unitBytes();
  }

  @Override
  public Optional<Resident> resident(String name) throws IOException {
    try (IndexInput input = in.openInput(name, IOContext.READONCE)) {
      CachedContent content = contents.find(name);
      BitSet units = new BitSet();
      long length = input.length();
      for (int block = 0; content != null && (long) block * unitBytes() < length; block++) {
        units.set(block, cache.blocks().holds(content, block));
      }
      input.seek(Math.max(0, length - Long.BYTES));
      long checksum = length < Long.BYTES ? 0 : input.readLong();
      long bytes = Math.min(length, (long) units.cardinality() * unitBytes());
      return Optional.of(new Resident(length, checksum, bytes, units));
    }
  }

  @Override
  public PositionalFile openToLoad(String name) throws IOException {
    IndexInput input = openInput(name, IOContext.DEFAULT);
    if (input instanceof BlockIndexInput cached) {
      return cached.file();
    }
    input.close();
    throw new NoSuchFileException(name, null, "too long for the cache");
  }

  /** Closes the other directory. Blocks are freed when the inputs that use them are closed. */
  @Override
  public void close() throws IOException {
    try (Directory _ = in) {
      contents.endAll().forEach(cache.blocks()::drop);
      cache.end(partition);
    }
  }

  @Override
  public void report(Sink sink) {
    cache.report(sink);
  }

  @Override
  public String toString() {
    return "BlockCacheDirectory(" + in + "; " + cache + ")";
  }
}
