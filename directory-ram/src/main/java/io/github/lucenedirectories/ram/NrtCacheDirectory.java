// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.MemoryLimitException;
import io.github.lucenedirectories.internal.memory.MemoryOptions;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.memory.TableOwner;
import io.github.lucenedirectories.internal.os.Parallel;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Copying;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A directory that keeps small new segments in memory outside the Java heap until they are synced,
 * and everything else in another directory.
 *
 * {@snippet :
 * try (Directory directory = new NrtCacheDirectory(new MappedDirectory(path), 5, 60);
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
 *     SearcherManager searchers = new SearcherManager(writer, null)) {
 *   writer.addDocument(new Document());
 *   searchers.maybeRefresh(); // reads the new segment from memory
 * }
 * }
 *
 * <p>Use it for near-real-time search: most of the small files that a reopen creates are merged
 * away before a commit would have to write them. The constructor and the caching rule are those of
 * Lucene's {@code NRTCachingDirectory}. In addition, the memory is off-heap, reads take no lock, a
 * sync writes files in parallel and keeps them readable meanwhile, and the limit is hard: a file
 * that outgrows the free memory moves to the other directory while it is written. Every flush
 * begins with files whose length Lucene does not estimate. They are cached too, up to {@code
 * maxMergeSizeMB}; commits are not.
 *
 * <p>Files that were not synced are lost in a crash. {@link #close} writes the files that are still
 * in memory to the other directory, and closes it. A failed sync leaves the files in memory, and
 * the next one writes them again. All methods may be called from any thread.
 */
public final class NrtCacheDirectory extends FilterDirectory implements Accountable, MetricSource {

  private static final int SYNC_THREADS = 4;
  private static final double MEGABYTE = 1 << 20;

  /** Marks the names of temporary files in memory; those in the other directory lack it. */
  private static final String TEMPORARY_MARK = "_nrt";

  private final long maxMergeSizeBytes;
  private final long maxCachedBytes;
  private final Reaper reaper = new Reaper();
  private final OffHeapMemory memory;
  private final MemoryFileTable files;

  /** Set once, before this object is published; null without a journal. */
  private @Nullable JournaledIndex journaled;

  /** The names in the other directory. Some may be gone since, if others delete files there. */
  private final Set<String> below;

  /**
   * Caches files that are created through this directory.
   *
   * @param delegate stores the files that were synced or are not cached
   * @param maxMergeSizeMB a flush or merge that is estimated at more MiB is not cached
   * @param maxCachedMB the limit of the memory in MiB
   * @throws UncheckedIOException if the other directory cannot list its files
   */
  public NrtCacheDirectory(Directory delegate, double maxMergeSizeMB, double maxCachedMB) {
    this(delegate, maxMergeSizeMB, maxCachedMB, namesIn(delegate));
  }

  private NrtCacheDirectory(
      Directory delegate, double maxMergeSizeMB, double maxCachedMB, Set<String> below) {
    super(delegate);
    maxMergeSizeBytes = (long) (maxMergeSizeMB * MEGABYTE);
    maxCachedBytes = (long) (maxCachedMB * MEGABYTE);
    this.below = below;
    memory = memory(Math.max(1, maxCachedBytes), reaper);
    files = new MemoryFileTable(memory, new Owner());
  }

  /** As with the other constructor, with limits of 5 and 60 MiB. */
  public NrtCacheDirectory(Directory delegate, CommitJournal journal) throws IOException {
    this(delegate, 5, 60, journal);
  }

  /**
   * Caches files, and makes commits durable in a journal. First brings commits that a crash left in
   * the journal into the other directory.
   *
   * @param delegate stores the files that are not cached, and after a checkpoint all
   * @param journal must stay open until this directory is closed
   * @throws IOException if the journal may not be that of the directory, if something else has
   *     written a commit since, or if the commits cannot be stored
   */
  public NrtCacheDirectory(
      Directory delegate, double maxMergeSizeMB, double maxCachedMB, CommitJournal journal)
      throws IOException {
    this(delegate, maxMergeSizeMB, maxCachedMB, namesIn(delegate));
    try {
      JournaledIndex index = new JournaledIndex(this, delegate, files, below, journal);
      index.open();
      journaled = index;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(files, reaper, memory);
      throw t;
    }
  }

  private static Set<String> namesIn(Directory delegate) {
    try {
      Set<String> names = ConcurrentHashMap.newKeySet();
      names.addAll(List.of(delegate.listAll()));
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OffHeapMemory memory(long maxBytes, Reaper reaper) {
    try {
      return OffHeapMemory.open(
          new MemoryOptions(NrtCacheDirectory.class.getSimpleName(), maxBytes, HugePages.TRY),
          reaper);
    } catch (IOException e) {
      throw new UncheckedIOException("these options demand nothing", e);
    }
  }

  /** Whether a new file is to be kept in memory. */
  private boolean isCached(String name, IOContext context) {
    long bytes = 0;
    if (context.mergeInfo() != null) {
      bytes = context.mergeInfo().estimatedMergeBytes();
    } else if (context.flushInfo() != null) {
      bytes = context.flushInfo().estimatedSegmentSize();
    } else if (journaled == null && name.contains(IndexFileNames.SEGMENTS)) {
      // A commit, which is synced and renamed next.
      return false;
    }
    return bytes <= maxMergeSizeBytes && bytes + memory.usedBytes() < maxCachedBytes;
  }

  private final class Owner implements TableOwner {
    @Override
    public boolean isTaken(String file) throws IOException {
      return isBelow(file);
    }

    @Override
    public long maxBytes(IOContext context) {
      boolean estimated = context.mergeInfo() != null || context.flushInfo() != null;
      return estimated ? Long.MAX_VALUE : maxMergeSizeBytes;
    }

    @Override
    public IndexOutput spill(String file, IOContext context, MemoryLimitException cause)
        throws IOException {
      IndexOutput output = createBelow(file, context);
      files.delete(file);
      return output;
    }
  }

  @Override
  public String[] listAll() throws IOException {
    if (journaled != null) {
      return journaled.list().toArray(String[]::new);
    }
    // Memory first, so that a file that is moved to the other directory meanwhile is not missed.
    Set<String> names = new TreeSet<>(Arrays.asList(files.names()));
    names.addAll(Arrays.asList(in.listAll()));
    return names.toArray(String[]::new);
  }

  /** Without a journal's own files, in whose names Lucene would look for a segment's number. */
  @Override
  public Set<String> getPendingDeletions() throws IOException {
    Set<String> names = new TreeSet<>(in.getPendingDeletions());
    names.removeIf(JournalLink::isInternal);
    return names;
  }

  /** The names of the files in memory, sorted as UTF-16. */
  public String[] listCachedFiles() {
    return files.names();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    if (journaled != null) {
      journaled.create(name);
    }
    if (isCached(name, context)) {
      return files.create(name, context);
    }
    if (files.contains(name)) {
      throw new FileAlreadyExistsException(name);
    }
    return createBelow(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    ensureOpen();
    if (isCached(prefix, context)) {
      return files.createTemporary(prefix, suffix + TEMPORARY_MARK, context);
    }
    List<String> unusable = new ArrayList<>();
    try {
      while (true) {
        IndexOutput output = in.createTempOutput(prefix, suffix, context);
        if (!files.contains(output.getName())) {
          noteCreated(output.getName());
          return output;
        }
        unusable.add(output.getName());
        output.close();
      }
    } finally {
      IOUtils.deleteFilesIgnoringExceptions(in, unusable);
    }
  }

  private IndexOutput createBelow(String name, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(name, context);
    noteCreated(name);
    return output;
  }

  private void noteCreated(String name) {
    below.add(name);
    if (journaled != null) {
      journaled.created(name);
    }
  }

  /** Moves files to the other directory if they are in memory, and syncs all there. */
  void moveToFolder(Collection<String> names) throws IOException {
    move(names, false, _ -> in.sync(names));
  }

  /** Whether less than half of the memory is free. */
  boolean isShortOfMemory() {
    return memory.usedBytes() > maxCachedBytes / 2;
  }

  /** Whether the other directory has a file only because its deletion waits for a checkpoint. */
  private boolean isHidden(String name) {
    return journaled != null && journaled.isHidden(name);
  }

  /** Whether the other directory has a file; forgets a name that was deleted there by others. */
  private boolean isBelow(String name) throws IOException {
    if (!below.contains(name)) {
      return false;
    }
    try {
      in.fileLength(name);
      return true;
    } catch (NoSuchFileException | FileNotFoundException _) {
      below.remove(name);
      return false;
    }
  }

  private void deleteBelow(String name) throws IOException {
    in.deleteFile(name);
    below.remove(name);
  }

  @Override
  public long fileLength(String name) throws IOException {
    try {
      return files.length(name);
    } catch (NoSuchFileException e) {
      if (isHidden(name)) {
        throw e;
      }
      return in.fileLength(name);
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    try {
      if (files.contains(name)) {
        return files.open(name, context);
      }
    } catch (NoSuchFileException _) {
      // Moved to the other directory since.
    }
    if (isHidden(name)) {
      throw new NoSuchFileException(name);
    }
    return in.openInput(name, context);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    if (journaled != null) {
      journaled.delete(name);
    } else if (!files.delete(name)) {
      deleteBelow(name);
    }
  }

  /**
   * Moves files to the other directory in parallel, and makes them durable there. With a journal,
   * small files stay in memory, and are durable once the commit that names them is renamed, or
   * {@link #syncMetaData} was called without one.
   */
  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    if (journaled != null) {
      journaled.sync(names);
    } else {
      move(
          names,
          false,
          made -> {
            in.sync(names);
            if (!made.isEmpty()) {
              // Lucene called syncMetaData while these files were in memory, and will not call it
              // again before it publishes them.
              in.syncMetaData();
            }
          });
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    ensureOpen();
    if (journaled != null) {
      journaled.syncMetaData();
    } else {
      in.syncMetaData();
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
    ensureOpen();
    if (journaled != null) {
      journaled.rename(source, dest);
      return;
    }
    if (files.contains(dest)) {
      throw new FileAlreadyExistsException(dest);
    }
    move(List.of(source), false, _ -> {});
    in.rename(source, dest);
    below.add(dest);
    below.remove(source);
  }

  /**
   * Copies those files that are in memory to the other directory, and runs a step. If both succeed,
   * the files are deleted from memory, else from the other directory.
   *
   * @param closing whether to leave out files that cannot be opened, instead of failing
   */
  private synchronized void move(
      Collection<String> names, boolean closing, IOConsumer<Set<String>> step) throws IOException {
    List<String> cached = names.stream().distinct().filter(files::contains).toList();
    Set<String> made = ConcurrentHashMap.newKeySet();
    try {
      Parallel.forEach(cached, SYNC_THREADS, name -> copy(name, closing, made));
      step.accept(made);
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(in, made);
      throw t;
    }
    for (String name : made) {
      if (!files.delete(name)) {
        // Deleted while it was copied.
        deleteBelow(name);
      }
    }
  }

  private void copy(String name, boolean closing, Set<String> made) throws IOException {
    IndexInput input;
    try {
      input = files.open(name, IOContext.READONCE);
    } catch (NoSuchFileException | AccessDeniedException e) {
      if (closing) {
        // Deleted by another thread meanwhile, or never completed.
        return;
      }
      throw e;
    }
    try (input;
        IndexOutput output = createBelow(name, IOContext.DEFAULT)) {
      made.add(name);
      output.copyBytes(input, input.length());
    }
  }

  /** Writes the files that are still in memory to the other directory, and closes it. */
  @Override
  public void close() throws IOException {
    JournaledIndex index = journaled == null || journaled.hasLeft() ? null : journaled;
    try (Directory _ = in;
        memory;
        reaper;
        files;
        Closeable _ = index == null ? () -> {} : index::leave) {
      if (index != null) {
        index.checkpoint();
      }
      move(List.of(files.names()), true, _ -> {});
    }
  }

  @Override
  public void report(Sink sink) {
    sink.gauge("nrt.max.bytes", maxCachedBytes);
    sink.gauge("nrt.used.bytes", memory.usedBytes());
    files.report(sink);
  }

  /**
   * Memory of files, in bytes, outside the Java heap. ({@link Accountable} means heap memory, of
   * which this directory uses almost none.)
   */
  @Override
  public long ramBytesUsed() {
    return memory.usedBytes();
  }

  /** Names the other directory, the limits and how memory is obtained. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "NrtCacheDirectory(%s; maxMergeSizeMB=%s maxCachedMB=%s memory=%s)",
        in,
        maxMergeSizeBytes / MEGABYTE,
        maxCachedBytes / MEGABYTE,
        memory.description());
  }
}
