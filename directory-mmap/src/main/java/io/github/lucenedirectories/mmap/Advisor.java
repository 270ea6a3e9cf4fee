// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
    /** These, postings and vectors. */
    MOST,
    /** All. */
    ALL;

    boolean includes(FileKind kind) {
      return switch (this) {
        case NONE -> false;
        case COLD -> kind.isCold();
        case MOST -> kind != FileKind.OTHER;
        case ALL -> true;
      };
    }
  }

  private final Set<MappedResidency> open = ConcurrentHashMap.newKeySet();
  private final @Nullable MemoryPressure pressure;
  private volatile Random random;

  Advisor(Random random) {
    this(random, null);
  }

  /** An advisor whose files count in {@code pressure} while they are open. */
  Advisor(Random random, @Nullable MemoryPressure pressure) {
    this.random = random;
    this.pressure = pressure;
  }

  boolean isRandom(FileKind kind) {
    return random.includes(kind);
  }

  /** Call without a lock: it may advise other files. */
  void add(MappedResidency file) {
    if (open.add(file) && pressure != null) {
      pressure.opened(file.path(), file.kind(), file.bytes());
    }
  }

  /** As {@link #add}. */
  void remove(MappedResidency file) {
    if (open.remove(file) && pressure != null) {
      pressure.closed(file.path());
    }
  }

  /** Changes which files are advised as random, including files already mapped. */
  void change(Random changed) {
    if (random != changed) {
      random = changed;
      open.forEach(MappedResidency::adviseAgain);
    }
  }
}
