// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import io.github.lucenedirectories.internal.os.CountedArena;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.util.IOUtils;

/**
 * The pool files of a directory as one range of addresses. They are created one after the other and
 * never deleted. All methods may be called from any thread.
 */
final class Pools implements Closeable {

  private final PoolStore store;
  private final PmemOptions options;
  private final PageAllocator allocator;
  private final Superblock first;
  private final List<PoolMemory> pools = new CopyOnWriteArrayList<>();

  private static String name(int pool) {
    return String.format(Locale.ROOT, "pool-%05d.pmem", pool);
  }

  /**
   * Opens all pool files; creates the first if there is none.
   *
   * @param allocator receives all pages for files
   */
  Pools(PoolStore store, PmemOptions options, PageAllocator allocator) throws IOException {
    this.store = store;
    this.options = options;
    this.allocator = allocator;
    List<String> names = new ArrayList<>(store.names());
    names.sort(Comparator.naturalOrder());
    if (names.isEmpty()) {
      store.deleteUnfinished();
      createFirst(store, options);
      names.add(name(0));
    }
    List<Superblock> superblocks = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      // If a file is missing, all later names are wrong.
      if (!names.get(i).equals(name(i))) {
        throw Superblock.damaged(store.path(names.get(i)), "name of file", name(i), names.get(i));
      }
      Superblock superblock = Superblock.read(store, name(i));
      if (superblock.index() != i) {
        throw Superblock.damaged(store.path(name(i)), "index of pool file", i, superblock.index());
      }
      superblocks.add(superblock);
      UUID uuid = superblocks.get(0).uuid();
      if (!superblock.uuid().equals(uuid)) {
        throw Superblock.damaged(store.path(name(i)), "UUID", uuid, superblock.uuid());
      }
    }
    first = superblocks.get(0);
    try {
      for (Superblock superblock : superblocks) {
        map(superblock);
      }
      // Only now is it certain that no other process creates one.
      store.deleteUnfinished();
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(pools);
      throw t;
    }
  }

  private static void createFirst(PoolStore store, PmemOptions options) throws IOException {
    long bytes = AddressRanges.roundUp(options.initialBytes(), Layout.PAGE_BYTES);
    Superblock superblock = new Superblock(0, UUID.randomUUID(), bytes, Layout.logBytes(bytes));
    byte[] head = new byte[(int) Layout.logAt(0, 0) + Layout.LOG_HEADER_BYTES];
    ByteBuffer.wrap(head)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(superblock.encode())
        .putLong((int) Layout.logAt(0, 0), MetadataLog.firstHeader(superblock.uuid()));
    requireRoom(store, options, 0, bytes);
    store.create(name(0), bytes, head);
  }

  private static void requireRoom(PoolStore store, PmemOptions options, long have, long bytes)
      throws IOException {
    long usable = store.usableBytes();
    if (have + bytes > options.maxBytes() || bytes > usable) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "no room for a pool file: neededBytes=%s, haveBytes=%s, maxBytes=%s, usableBytes=%s; "
                  + "make room on the device, delete files or raise maxBytes: %s",
              bytes,
              have,
              options.maxBytes(),
              usable,
              store.description()));
    }
  }

  private void map(Superblock superblock) throws IOException {
    pools.add(store.map(name(superblock.index())));
    long from = Layout.extentsAt(superblock.index(), first.logBytes());
    long to = AddressRanges.roundDown(superblock.poolBytes(), Layout.PAGE_BYTES);
    allocator.add(Layout.address(superblock.index(), from), Layout.address(superblock.index(), to));
  }

  /**
   * Creates another pool file with room for an extent of {@code needed} bytes, and of {@code
   * wanted} bytes unless space is short.
   */
  void grow(long needed, long wanted) throws IOException {
    int index = pools.size();
    long have = lengthOfAll();
    long room = Math.min(options.maxBytes() - have, store.usableBytes());
    long usual = Math.max(options.poolFileBytes(), bytesFor(index, wanted));
    long length =
        Math.max(
            bytesFor(index, needed),
            AddressRanges.roundDown(Math.min(usual, room), Layout.PAGE_BYTES));
    requireRoom(store, options, have, length);
    Superblock superblock = new Superblock(index, first.uuid(), length, 0);
    store.create(name(index), length, superblock.encode());
    map(superblock);
  }

  private static long bytesFor(int index, long extent) {
    return AddressRanges.roundUp(extent + Layout.extentsAt(index, 0), Layout.PAGE_BYTES);
  }

  private long lengthOfAll() {
    return pools.stream().mapToLong(PoolMemory::size).sum();
  }

  PoolMemory firstPool() {
    return pools.get(0);
  }

  Superblock firstSuperblock() {
    return first;
  }

  String path(int pool) {
    return store.path(name(pool));
  }

  int count() {
    return pools.size();
  }

  private PoolMemory poolOf(long address) {
    return pools.get(Layout.poolOf(address));
  }

  /** The bytes of a range. Callers must ensure that the pool stays open. */
  MemorySegment bytes(long address, long length) {
    return poolOf(address).bytes().asSlice(Layout.offsetOf(address), length);
  }

  /** The extent of a segment that {@link #bytes} returned. */
  PoolExtent extentOf(MemorySegment part) {
    for (int i = 0; i < pools.size(); i++) {
      MemorySegment pool = pools.get(i).bytes();
      long offset = part.address() - pool.address();
      if (offset >= 0 && offset < pool.byteSize()) {
        return new PoolExtent(Layout.address(i, offset), part.byteSize());
      }
    }
    throw new IllegalArgumentException("in no pool: " + part);
  }

  /** A view of a range that throws once the arena is closed. */
  MemorySegment view(CountedArena arena, long address, long length) throws IOException {
    return poolOf(address).view(arena, Layout.offsetOf(address), length);
  }

  /**
   * Writes bytes.
   *
   * @throws IOException if the device has no space for them
   */
  void write(long address, byte[] from, int index, int length) throws IOException {
    try {
      poolOf(address).write(Layout.offsetOf(address), from, index, length);
    } catch (InternalError e) {
      throw unwritable(path(Layout.poolOf(address)), e);
    }
  }

  /** Converts the error that HotSpot throws after a fault. */
  static IOException unwritable(String path, InternalError e) {
    return new IOException(
        "cannot write to a pool file, which is sparse, was truncated or lies on damaged media:"
            + " file="
            + path,
        e);
  }

  /**
   * Checks that the files of extents, and the first file, which has the metadata, are in place.
   *
   * @throws IOException if one of them was removed or replaced
   */
  void ensureInPlace(Collection<PoolExtent> extents) throws IOException {
    BitSet needed = new BitSet();
    needed.set(0);
    extents.forEach(extent -> needed.set(Layout.poolOf(extent.address())));
    for (int pool = 0; pool >= 0; pool = needed.nextSetBit(pool + 1)) {
      pools.get(pool).ensureInPlace();
    }
  }

  void flush(PoolExtent extent) throws IOException {
    poolOf(extent.address()).flush(Layout.offsetOf(extent.address()), extent.length());
  }

  /** Prefaults an unused extent: rewrites the first byte of each page. */
  void populate(PoolExtent extent) throws IOException {
    byte[] kept = new byte[1];
    for (long at = extent.address(); at < extent.end(); at += Layout.PAGE_BYTES) {
      kept[0] = bytes(at, 1).get(ValueLayout.JAVA_BYTE, 0);
      write(at, kept, 0, 1);
    }
  }

  /** Unmaps all pool files. No thread may read or write them any more. */
  @Override
  public void close() throws IOException {
    IOUtils.close(pools);
  }

  @Override
  public String toString() {
    return store.description() + " pools=" + pools.size() + " bytes=" + lengthOfAll();
  }
}
