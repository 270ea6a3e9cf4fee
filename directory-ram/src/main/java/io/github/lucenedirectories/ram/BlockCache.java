package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;

/**
 * Blocks of files in memory outside the Java heap, shared by any number of {@link
 * BlockCacheDirectory}s.
 *
 * <p>It takes at most its capacity, step by step as blocks come in, and about 130 bytes of heap for
 * each block. When it is full, blocks that were not read again give way first, so that one reading
 * of a large file does not empty it. A read of a block that it holds takes no lock and allocates
 * nothing.
 *
 * <p>Who builds a cache closes it, after the directories; directories that still use it read past
 * it from then on. All methods may be called from any thread.
 */
public final class BlockCache implements Closeable {

  /** Length of a block in bytes unless the user says otherwise. */
  static final int DEFAULT_BLOCK_BYTES = 1 << 14;

  /** Buffers that are kept; so many threads fetch without allocating. */
  private static final int MOST_BUFFERS = 64;

  private static final int LEAST_BLOCK_BYTES = 1 << 12;
  private static final int MOST_BLOCK_BYTES = 1 << 18;

  private final int blockBytes;
  private final int slotCount;
  private final CacheMemory memory;
  private final CachedBlocks blocks;
  private final CachePartition common;
  private final Prefetcher prefetcher = new Prefetcher();
  private final AtomicLong nextContent = new AtomicLong();
  private final Map<String, KindCounters> kinds = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<Long, Fetch> fetches = new ConcurrentHashMap<>();

  /** For blocks on their way from a file into a slot. */
  private final Queue<byte[]> buffers = new ArrayBlockingQueue<>(MOST_BUFFERS);

  private volatile boolean closed;

  private BlockCache(int slotCount, int blockBytes, HugePages hugePages) throws IOException {
    this.blockBytes = blockBytes;
    this.slotCount = slotCount;
    memory = new CacheMemory(slotCount, blockBytes, hugePages);
    blocks = new CachedBlocks(slotCount, memory);
    common = blocks.newPartition(slotCount);
  }

  /** A builder with the defaults that its methods name. */
  public static Builder builder() {
    return new Builder();
  }

  /** Length of a block in bytes. */
  public int blockBytes() {
    return blockBytes;
  }

  /** The most bytes of blocks. */
  public long maxBytes() {
    return (long) slotCount * blockBytes;
  }

  /** What the cache holds and what happened in it. */
  public BlockCacheStatistics statistics() {
    TreeMap<String, BlockCacheStatistics.Kind> read = new TreeMap<>();
    kinds.forEach((kind, counters) -> read.put(kind, counters.read()));
    return new BlockCacheStatistics(maxBytes(), (long) blocks.held() * blockBytes, read);
  }

  /** The part of the cache of a directory that takes at most so many bytes. */
  CachePartition partition(long quotaBytes) {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
    long quota = Math.max(1, quotaBytes / blockBytes);
    return quota >= slotCount ? common : blocks.newPartition((int) quota);
  }

  /** Ends a part of the cache, of whose directory no file will be opened any more. */
  void end(CachePartition partition) {
    if (partition != common) {
      blocks.remove(partition);
    }
  }

  /** A content that shares its number with no other. */
  CachedContent newContent(String name, CachePartition partition) {
    String extension = IndexFileNames.getExtension(name);
    KindCounters kind =
        kinds.computeIfAbsent(extension == null ? "other" : extension, _ -> new KindCounters());
    return new CachedContent(
        nextContent.getAndIncrement(), name, kind, partition, blocks.newContentSlots());
  }

  CachedBlocks blocks() {
    return blocks;
  }

  Prefetcher prefetcher() {
    return prefetcher;
  }

  /**
   * Copies a part of a block that the cache did not hold a moment ago. One thread reads the whole
   * block and puts it into the cache; others that come meanwhile wait for it.
   *
   * @return false if the caller has to read past the cache
   * @throws IOException if the file cannot be read; the next read tries again
   */
  boolean fetch(
      CachedContent content,
      DelegateReads file,
      long block,
      int from,
      byte[] target,
      int offset,
      int length)
      throws IOException {
    do {
      if (closed) {
        return false;
      }
      Fetch own = new Fetch();
      Fetch other = fetches.putIfAbsent(content.key(block), own);
      Fetch.Outcome outcome =
          other == null
              ? fetch(own, content, file, block, from, target, offset, length)
              : other.await();
      switch (outcome) {
        case COPIED -> {
          return true;
        }
        case CUT -> {
          return false;
        }
        case LOOK_AGAIN -> {}
      }
    } while (!blocks.read(content, block, from, target, offset, length));
    return true;
  }

  private Fetch.Outcome fetch(
      Fetch own,
      CachedContent content,
      DelegateReads file,
      long block,
      int from,
      byte[] target,
      int offset,
      int length)
      throws IOException {
    Fetch.Outcome others = Fetch.Outcome.LOOK_AGAIN;
    IOException failure = null;
    try {
      if (blocks.surelyHolds(content, block)) {
        return Fetch.Outcome.LOOK_AGAIN;
      }
      byte[] bytes = buffers.poll();
      if (bytes == null) {
        bytes = new byte[blockBytes];
      }
      long start = block * blockBytes;
      int n = (int) Math.min(blockBytes, file.length() - start);
      file.read(start, bytes, 0, n);
      content.kind.fetchedBytes.add(n);
      System.arraycopy(bytes, from, target, offset, length);
      blocks.put(content, block, bytes, n);
      buffers.offer(bytes);
      return Fetch.Outcome.COPIED;
    } catch (EOFException _) {
      others = Fetch.Outcome.CUT;
      return others;
    } catch (IOException e) {
      failure = e;
      throw e;
    } finally {
      fetches.remove(content.key(block), own);
      own.end(others, failure);
    }
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    closed = true;
    prefetcher.close();
    blocks.close();
  }

  /** Says how large the cache is, and how memory is obtained. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BlockCache(maxBytes=%s blockBytes=%s memory=%s)",
        maxBytes(),
        blockBytes,
        memory.description());
  }

  /** Options of a {@link BlockCache}. */
  public static final class Builder {

    /** What a number of slots has to stay below: four words for each lie in one array. */
    private static final long MOST_SLOTS = 1L << 28;

    private long maxBytes = AvailableMemory.defaultLimitBytes() / 2;
    private int blockBytes = DEFAULT_BLOCK_BYTES;
    private HugePages hugePages = HugePages.TRY;

    private Builder() {}

    /**
     * The most bytes of blocks; by default half of the memory that the machine or the container has
     * beside the Java heap.
     */
    public Builder maxBytes(long bytes) {
      maxBytes = bytes;
      return this;
    }

    /**
     * Sets the capacity to a share of the bytes that a directory has now.
     *
     * @param share more than 0; 1 for an index that does not grow
     * @throws IOException if the directory's files cannot be listed
     */
    public Builder maxShareOf(Directory index, double share) throws IOException {
      if (!(share > 0)) {
        throw new IllegalArgumentException("share must be positive: share=" + share);
      }
      long bytes = 0;
      for (String name : index.listAll()) {
        bytes += index.fileLength(name);
      }
      return maxBytes((long) Math.ceil(bytes * share));
    }

    /**
     * Length of a block, the least that is read from the other directory; by default {@value
     * BlockCache#DEFAULT_BLOCK_BYTES}.
     *
     * @param bytes a power of two from 4,096 to 262,144
     */
    public Builder blockBytes(int bytes) {
      blockBytes = bytes;
      return this;
    }

    /** Whether the memory is backed by huge pages; by default where the system gives them. */
    public Builder hugePages(HugePages pages) {
      hugePages = pages;
      return this;
    }

    /**
     * Makes the cache.
     *
     * @throws IllegalArgumentException if an option is out of range
     * @throws IOException if huge pages are required and cannot be had
     */
    public BlockCache build() throws IOException {
      if (blockBytes < LEAST_BLOCK_BYTES
          || blockBytes > MOST_BLOCK_BYTES
          || Integer.bitCount(blockBytes) != 1) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "blockBytes must be a power of two from %s to %s: blockBytes=%s",
                LEAST_BLOCK_BYTES,
                MOST_BLOCK_BYTES,
                blockBytes));
      }
      long slots = maxBytes / blockBytes;
      if (slots < 1 || slots > MOST_SLOTS) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "maxBytes must be from one block to %s blocks: maxBytes=%s, blockBytes=%s",
                MOST_SLOTS,
                maxBytes,
                blockBytes));
      }
      return new BlockCache((int) slots, blockBytes, hugePages);
    }
  }
}
