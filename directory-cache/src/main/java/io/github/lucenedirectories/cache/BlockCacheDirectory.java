// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.store.Copying;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final int LOCKS = 256;

  private final BlockCache cache;

  /** The contents of files that were opened, by name. */
  private final ConcurrentHashMap<String, CachedContent> contents = new ConcurrentHashMap<>();

  /** A name is not opened while it changes, so that an input has the content of its own file. */
  private final Object[] locks = new Object[LOCKS];

  private volatile boolean closed;

  /** Reads a directory through a cache. */
  public BlockCacheDirectory(Directory delegate, BlockCache cache) {
    super(delegate);
    cache.ensureOpen();
    this.cache = cache;
    Arrays.setAll(locks, _ -> new Object());
  }

  private int lock(String name) {
    return Math.floorMod(name.hashCode(), LOCKS);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return in.openInput(name, context);
    }
    synchronized (locks[lock(name)]) {
      IndexInput input = in.openInput(name, context);
      CachedContent content = open(name, input.length());
      DelegateReads file = new DelegateReads(input, () -> cache.release(content));
      return new BlockIndexInput(
          "BlockIndexInput(file=" + name + ")",
          name,
          new CachedFile(cache, content, file, false),
          null,
          context);
    }
  }

  /** Takes the content of a name, which is a new one if the file has grown since it was opened. */
  private CachedContent open(String name, long length) {
    CachedContent content = contents.get(name);
    if (content == null || content.length != length) {
      end(name);
      content = cache.newContent(name, length);
      contents.put(name, content);
    }
    content.users.incrementAndGet();
    if (closed) {
      end(name);
    }
    return content;
  }

  /** Ends the content of a name: inputs opened later have another one. */
  private void end(String name) {
    CachedContent content = contents.remove(name);
    if (content != null) {
      cache.release(content);
    }
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    synchronized (locks[lock(name)]) {
      end(name);
      return in.createOutput(name, context);
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    synchronized (locks[lock(name)]) {
      end(name);
      in.deleteFile(name);
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
    int first = Math.min(lock(source), lock(dest));
    int second = Math.max(lock(source), lock(dest));
    synchronized (locks[first]) {
      synchronized (locks[second]) {
        end(source);
        end(dest);
        in.rename(source, dest);
      }
    }
  }

  /** Closes the other directory. Blocks are freed when the inputs that use them are closed. */
  @Override
  public void close() throws IOException {
    try (Directory _ = in) {
      closed = true;
      contents.keySet().forEach(this::end);
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
