// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The mapped files of a directory, for some of which the kernel is advised that reads are random:
 * it then loads the pages that are read and none around them. The advice is renewed when the level
 * changes. All methods may be called from any thread.
 *
 * <p>The kernel is never advised of sequential reads: it detects them itself, Lucene announces them
 * even for files that it reads at random, and a search that shares the mapping would load megabytes
 * for each page.
 */
final class Advisor {

  private final Set<MappedResidency> open = ConcurrentHashMap.newKeySet();
  private final @Nullable MemoryPressure pressure;
  private volatile Level level;

  /** An advisor for one level, which never changes. */
  Advisor(Level level) {
    this.level = level;
    this.pressure = null;
  }

  /** An advisor whose files count in {@code pressure} while they are open, and follow its level. */
  Advisor(MemoryPressure pressure) {
    this.level = Level.PLENTY;
    this.pressure = pressure;
  }

  /** The current level; checks the memory if it was not checked for long. */
  Level level() {
    return pressure == null ? level : pressure.state().level();
  }

  boolean isRandom(FileKind kind) {
    return level.isRandom(kind);
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
  void change(Level changed) {
    if (level != changed) {
      level = changed;
      open.forEach(MappedResidency::adviseAgain);
    }
  }
}
