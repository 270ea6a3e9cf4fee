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
 * found or not, one without the other and in any order: plain Lucene does not stand that.
 */
final class NameJournal {

  private final TreeMap<String, StoredFile> names = new TreeMap<>();
  private final TreeMap<String, StoredFile> durable = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();

  /** A file got a name, lost it, or has another one. */
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

  /** The files by their names of now. */
  Map<String, StoredFile> names() {
    return names;
  }

  void create(String name, StoredFile file) {
    change(new Change(null, name, file));
  }

  void rename(String from, String to, StoredFile file) {
    change(new Change(from, to, file));
  }

  void delete(String name, StoredFile file) {
    change(new Change(name, null, file));
  }

  private void change(Change change) {
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

  /** The names that may be found after a power cut. */
  Map<String, StoredFile> afterPowerCut(Random random) {
    Map<String, StoredFile> found = new TreeMap<>(durable);
    // From none of the creations and renames to all of them.
    int quarters = random.nextInt(5);
    for (Change change : changes) {
      if (change.to() == null ? random.nextBoolean() : random.nextInt(4) < quarters) {
        change.apply(found);
      }
    }
    return found;
  }
}
