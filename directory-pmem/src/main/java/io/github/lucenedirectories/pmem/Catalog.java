// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.pmem.LogEntry.Put;
import io.github.lucenedirectories.pmem.LogEntry.Remove;
import io.github.lucenedirectories.pmem.LogEntry.Rename;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * Knows which files are durable; only this class changes that. All methods may be called from any
 * thread; one thread at a time changes metadata.
 */
final class Catalog {

  private final PmemMemory memory;
  private final MemoryFileTable files;
  private final MetadataLog log;

  /** The files that would survive a crash. */
  private final Map<String, List<PoolExtent>> durable = new LinkedHashMap<>();

  /** Deletions that no record has yet; after a crash the files may come back. */
  private final List<LogEntry> pending = new ArrayList<>();

  /** The extents of the files in {@link #pending}. */
  private final List<PoolExtent> dropped = new ArrayList<>();

  /** The failure after which nothing more can be made durable. */
  private @Nullable Throwable broken;

  private boolean closed;

  /**
   * Reads which files of a directory are durable.
   *
   * @param files receives the durable files
   * @throws IOException if the metadata are damaged or name extents that do not exist
   */
  Catalog(PmemMemory memory, MemoryFileTable files) throws IOException {
    this.memory = memory;
    this.files = files;
    Pools pools = memory.pools();
    log =
        new MetadataLog(
            pools.firstPool(),
            pools.path(0),
            pools.firstSuperblock(),
            entry -> apply(entry, durable));
    for (Map.Entry<String, List<PoolExtent>> file : durable.entrySet()) {
      take(file.getKey(), file.getValue());
    }
    log.settle();
  }

  private static void apply(LogEntry entry, Map<String, List<PoolExtent>> files) {
    switch (entry) {
      case Put put -> files.put(put.name(), put.extents());
      case Remove remove -> files.remove(remove.name());
      case Rename rename -> {
        List<PoolExtent> extents = files.remove(rename.from());
        if (extents == null) {
          throw new IllegalArgumentException("a name that nobody has: " + rename.from());
        }
        files.put(rename.to(), extents);
      }
    }
  }

  private void take(String name, List<PoolExtent> extents) throws IOException {
    long part = extents.size() > 1 ? extents.get(0).length() : 0;
    for (int i = 0; i < extents.size(); i++) {
      PoolExtent extent = extents.get(i);
      boolean fits =
          part == 0
              || (i == extents.size() - 1
                  ? extent.length() <= part
                  : extent.length() == part && Long.bitCount(part) == 1);
      int pool = Layout.poolOf(extent.address());
      if (pool < 0 || pool >= memory.pools().count()) {
        throw Superblock.damaged(
            memory.pools().path(0),
            "pool file of " + name,
            "one of " + memory.pools().count(),
            memory.pools().path(pool));
      }
      if (!fits || !memory.allocator().takeNamed(extent)) {
        throw Superblock.damaged(
            memory.pools().path(pool),
            "extent of " + name,
            "free pages of the pool",
            "offset=" + Layout.offsetOf(extent.address()) + ", length=" + extent.length());
      }
    }
    files.add(name, memory.sealed(extents));
  }

  synchronized void sync(Collection<String> names) throws IOException {
    ensureWhole();
    List<Put> puts = new ArrayList<>();
    for (String name : names) {
      if (!durable.containsKey(name)) {
        puts.add(flushed(name, name));
      }
    }
    if (!puts.isEmpty()) {
      record(puts);
    }
  }

  private Put flushed(String name, String nameThen) throws IOException {
    FileContents bytes = files.contents(name);
    if (bytes == null) {
      throw new AccessDeniedException(name, null, "the file is still open for writing");
    }
    List<PoolExtent> extents = new ArrayList<>();
    for (MemorySegment part : bytes.parts()) {
      if (part.byteSize() > 0) {
        extents.add(memory.pools().extentOf(part));
      }
    }
    write(
        () -> {
          for (PoolExtent extent : extents) {
            memory.pools().flush(extent);
          }
        });
    return new Put(nameThen, List.copyOf(extents));
  }

  /** Renames a file durably, even if it was not synced. */
  synchronized void rename(String source, String dest) throws IOException {
    ensureWhole();
    LogEntry entry = durable.containsKey(source) ? new Rename(source, dest) : flushed(source, dest);
    files.rename(source, dest, () -> record(List.of(entry)));
  }

  /** Deletes a file. A crash before the next record may bring a durable file back. */
  synchronized void delete(String name) throws IOException {
    ensureOpen();
    if (!files.delete(name)) {
      throw new NoSuchFileException(name);
    }
    List<PoolExtent> extents = durable.remove(name);
    if (extents != null) {
      pending.add(new Remove(name));
      dropped.addAll(extents);
    }
  }

  synchronized void settle() throws IOException {
    ensureOpen();
    if (!pending.isEmpty()) {
      ensureWhole();
      record(List.of());
    }
  }

  private void record(List<? extends LogEntry> entries) throws IOException {
    List<LogEntry> all = new ArrayList<>(pending);
    all.addAll(entries);
    List<PoolExtent> added = new ArrayList<>();
    for (LogEntry entry : entries) {
      if (entry instanceof Put put) {
        added.addAll(put.extents());
      }
    }
    memory.pools().ensureInPlace(added);
    memory.allocator().setNamed(added, true);
    try {
      write(() -> log.append(all, () -> snapshot(entries)));
    } catch (LogFullException e) {
      memory.allocator().setNamed(added, false);
      throw e;
    }
    entries.forEach(entry -> apply(entry, durable));
    memory.allocator().setNamed(dropped, false);
    pending.clear();
    dropped.clear();
  }

  /** After a failure the record may or may not be durable: nothing may change any more. */
  private void write(IORunnable step) throws IOException {
    try {
      step.run();
    } catch (LogFullException e) {
      throw e;
    } catch (Throwable t) {
      broken = t;
      throw t;
    }
  }

  private List<Put> snapshot(List<? extends LogEntry> entries) {
    Map<String, List<PoolExtent>> then = new LinkedHashMap<>(durable);
    entries.forEach(entry -> apply(entry, then));
    List<Put> puts = new ArrayList<>();
    then.forEach((name, extents) -> puts.add(new Put(name, extents)));
    return puts;
  }

  /** Makes deletions durable. Even if that fails, nothing is written afterwards. */
  synchronized void close() throws IOException {
    try {
      settle();
    } finally {
      closed = true;
    }
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed");
    }
  }

  private void ensureWhole() throws IOException {
    ensureOpen();
    if (broken != null) {
      throw new IOException(
          "an earlier write to the pools failed; close the directory and open it anew: "
              + memory.pools(),
          broken);
    }
  }

  synchronized long logBytes() {
    return log.usedBytes();
  }
}
