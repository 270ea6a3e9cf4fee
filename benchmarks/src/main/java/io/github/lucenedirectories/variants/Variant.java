// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;

/**
 * A directory with one choice of its options.
 *
 * @param name unique; written on the command line and shown in reports and test names
 * @param storage where its files are
 * @param shareInMemory the share of an index that {@link #read} copies into memory
 * @param uses what it can be used for
 * @param defaults the uses that include it unless the user names other variants
 * @param opener opens it on a folder
 * @param reader opens an existing index for reading
 */
public record Variant(
    String name,
    Storage storage,
    double shareInMemory,
    Set<Use> uses,
    Set<Use> defaults,
    Opener opener,
    IndexOpener reader) {

  private static final long POOL_BYTES = 1L << 29;

  /** Where the files of a directory are. */
  public enum Storage {
    FILES,
    /** On the Java heap, all of them or some. */
    HEAP,
    /** Outside the heap. */
    MEMORY,
    /** Outside the heap, and in files once they are synced. */
    MEMORY_AND_FILES,
    /**
     * In persistent memory or what stands for it. The folder that it is opened on, and the scratch
     * folder for reading, should be there: on a DAX file system or a tmpfs.
     */
    POOLS
  }

  /** What a variant can be used for. */
  public enum Use {
    /** Searching an existing index. */
    SEARCH,
    /** Indexing, with near-real-time search or without. */
    WRITE,
    /** Commits that survive the process. */
    COMMIT
  }

  /** Opens a directory on a folder that is empty or holds what an earlier one left. */
  @FunctionalInterface
  public interface Opener {
    /**
     * The caller closes the directory. A directory in memory ignores the folder.
     *
     * @param poolBytes length of a new persistent-memory pool
     */
    Directory open(Path folder, long poolBytes) throws IOException;
  }

  /** Opens an existing index for reading. The index itself is never written. */
  @FunctionalInterface
  public interface IndexOpener {
    /**
     * The caller closes the directory.
     *
     * @param scratch a folder for what the directory writes: pools, say; removed by the caller
     */
    Directory read(Path index, Path scratch) throws IOException;
  }

  public Variant {
    uses = Set.copyOf(uses);
    defaults = Set.copyOf(defaults);
  }

  /** One without a use yet, which reads an index in its own folder. */
  static Variant of(String name, Storage storage, Opener opener) {
    IndexOpener reader = (index, _) -> opener.open(index, POOL_BYTES);
    return new Variant(name, storage, 0, Set.of(), Set.of(), opener, reader);
  }

  /** The same with another way to read an index, which copies a share of it into memory. */
  Variant reading(double share, IndexOpener otherReader) {
    return new Variant(name, storage, share, uses, defaults, opener, otherReader);
  }

  /** The same, used unless the user names other variants. */
  Variant usedFor(Use... more) {
    return new Variant(
        name, storage, shareInMemory, with(uses, more), with(defaults, more), opener, reader);
  }

  /** The same, used where the user names it. */
  Variant offeredFor(Use... more) {
    return new Variant(name, storage, shareInMemory, with(uses, more), defaults, opener, reader);
  }

  private static Set<Use> with(Set<Use> some, Use... more) {
    EnumSet<Use> all = EnumSet.copyOf(List.of(more));
    all.addAll(some);
    return all;
  }

  /** See {@link Opener#open}. */
  public Directory open(Path folder, long poolBytes) throws IOException {
    return opener.open(folder, poolBytes);
  }

  /** The same with a pool of the usual length. */
  public Directory open(Path folder) throws IOException {
    return open(folder, POOL_BYTES);
  }

  /** See {@link IndexOpener#read}. */
  public Directory read(Path index, Path scratch) throws IOException {
    return reader.read(index, scratch);
  }

  /** Whether it holds index bytes on the Java heap. */
  public boolean usesHeap() {
    return storage == Storage.HEAP;
  }

  @Override
  public String toString() {
    return name;
  }
}
