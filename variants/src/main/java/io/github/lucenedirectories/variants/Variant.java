package io.github.lucenedirectories.variants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;

/**
 * A directory with one choice of its options.
 *
 * @param name unique; written on the command line and shown in reports and test names
 * @param storage where its files are
 * @param uses what it can be used for
 * @param defaults the uses that include it unless the user names other variants
 * @param opener opens it on a folder
 * @param reader opens an existing index for reading
 */
public record Variant(
    String name, Storage storage, Set<Use> uses, Set<Use> defaults, Opener opener, Reader reader) {

  /** Where the files of a directory are. */
  public enum Storage {
    FILES,
    /** On the Java heap. */
    HEAP,
    /** Outside the heap. */
    MEMORY,
    /** Outside the heap, and in files once they are synced. */
    MEMORY_AND_FILES,
    /** In persistent-memory pools. */
    POOLS
  }

  /** What a variant can be used for. */
  public enum Use {
    /** Searching an existing index. */
    SEARCH,
    /** Indexing, with near-real-time search or without. */
    WRITE,
    /** Commits that survive the process. */
    COMMIT,
    /** The suites of the test kit. */
    TEST
  }

  /** Opens a directory on a folder that is empty or holds what an earlier one left. */
  @FunctionalInterface
  public interface Opener {
    /** The caller closes the directory. A directory in memory ignores the folder. */
    Directory open(Path folder, Sizes sizes) throws IOException;
  }

  /** Opens an existing index for reading. The index itself is never written. */
  @FunctionalInterface
  public interface Reader {
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
    if (!uses.containsAll(defaults)) {
      throw new IllegalArgumentException(name + ": defaults=" + defaults + ", uses=" + uses);
    }
  }

  /** See {@link Opener#open}. */
  public Directory open(Path folder, Sizes sizes) throws IOException {
    return opener.open(folder, sizes);
  }

  /** See {@link Reader#read}. */
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
