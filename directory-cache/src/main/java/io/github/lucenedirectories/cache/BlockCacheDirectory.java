// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.store.Copying;
import java.io.IOException;
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
public final class BlockCacheDirectory extends FilterDirectory implements MetricSource {

  private final BlockCache cache;
  private final ContentTable contents;

  /** Reads a directory through a cache. */
  public BlockCacheDirectory(Directory delegate, BlockCache cache) {
    super(delegate);
    cache.ensureOpen();
    this.cache = cache;
    contents = new ContentTable(cache::newContent);
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

  /** Closes the other directory. Blocks are freed when the inputs that use them are closed. */
  @Override
  public void close() throws IOException {
    try (Directory _ = in) {
      contents.endAll().forEach(cache.blocks()::drop);
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
