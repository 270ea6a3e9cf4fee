package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides for which mapped files of a directory the kernel is advised that reads are random, and
 * renews the advice when that changes. So advised, it loads the pages that are read and none around
 * them. All methods may be called from any thread.
 *
 * <p>The kernel is never advised of sequential reads: it detects them itself, Lucene announces them
 * even for files that it reads at random, and a search that shares the mapping would load megabytes
 * for each page.
 */
final class Advisor {

  enum Random {
    /** None. */
    NONE,
    /** Stored fields, term vectors, and raw vectors beside quantized ones. */
    COLD,
    /** All. */
    ALL
  }

  private final Set<MappedResidency> open = ConcurrentHashMap.newKeySet();
  private volatile Random random;

  Advisor(Random random) {
    this.random = random;
  }

  boolean isRandom(FileKind kind) {
    return switch (random) {
      case NONE -> false;
      case COLD -> kind.isCold();
      case ALL -> true;
    };
  }

  void add(MappedResidency file) {
    open.add(file);
  }

  void remove(MappedResidency file) {
    open.remove(file);
  }

  /** Changes which files are advised as random, including files already mapped. */
  void change(Random changed) {
    if (random != changed) {
      random = changed;
      open.forEach(MappedResidency::adviseAgain);
    }
  }
}
