// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of files as they are now, those that are durable, and the changes that lie between.
 *
 * <p>After a power cut each creation, rename and deletion since the names were made durable may be
 * found or not. In order, a change is found only with all that came before it, as in the journal of
 * a file system. In any order, one is found without the other: plain Lucene does not stand that.
 */
final class NameJournal {

  final TreeMap<String, StoredFile> names = new TreeMap<>();
  private final TreeMap<String, StoredFile> durable = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();

  private final boolean inOrder;

  NameJournal(boolean inOrder) {
    this.inOrder = inOrder;
  }

  private record Change(@Nullable String from, @Nullable String to, StoredFile file) {
    void apply(Map<String, StoredFile> target) {
      if (from != null) {
        target.remove(from, file);
      }
      if (to != null) {
        target.put(to, file);
      }
    }
  }

  /** A file gets a name, loses it, or both. */
  void change(@Nullable String from, @Nullable String to, StoredFile file) {
    Change change = new Change(from, to, file);
    change.apply(names);
    changes.add(change);
  }

  /** Makes the names of now durable, unless they were lost. */
  void sync() {
    changes.forEach(change -> change.apply(durable));
    changes.clear();
  }

  /** Loses the creations and renames that are not durable yet, although the names read well. */
  void lose() {
    changes.removeIf(change -> change.to() != null);
  }

  /** The files that may be found after a power cut. */
  Map<String, byte[]> afterPowerCut(Random random) {
    Map<String, StoredFile> found = new TreeMap<>(durable);
    // From none of the creations and renames to all of them.
    int quarters = random.nextInt(5);
    int first = random.nextInt(changes.size() + 1);
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (inOrder
          ? i < first
          : change.to() == null ? random.nextBoolean() : random.nextInt(4) < quarters) {
        change.apply(found);
      }
    }
    Map<String, byte[]> files = new TreeMap<>();
    found.forEach((name, file) -> files.put(name, file.afterPowerCut(random)));
    return files;
  }
}
