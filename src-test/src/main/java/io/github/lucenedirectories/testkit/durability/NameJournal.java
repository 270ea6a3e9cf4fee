package io.github.lucenedirectories.testkit.durability;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of files as they are now, those that are durable, and the changes that lie between.
 *
 * <p>After a power cut each creation and each rename since the names were made durable may be found
 * or not, one without the other and in any order. Deletions keep their order unless it was given
 * up: Lucene relies on that, it deletes a commit before the files of that commit. A name is not
 * given again before its old file is gone.
 */
final class NameJournal {

  private final TreeMap<String, StoredFile> names = new TreeMap<>();
  private final TreeMap<String, StoredFile> durable = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private boolean deletionsInOrder = true;

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

  /** From now on a deletion may be found without those before it. */
  void giveUpOrderOfDeletions() {
    deletionsInOrder = false;
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
    BitSet kept = someChanges(random);
    Map<String, StoredFile> found = new TreeMap<>(durable);
    kept.stream().forEach(i -> changes.get(i).apply(found));
    return found;
  }

  private BitSet someChanges(Random random) {
    BitSet kept = new BitSet();
    // From none of the creations and renames to all of them.
    int quarters = random.nextInt(5);
    int deletionsBefore = random.nextInt(changes.size() + 1);
    for (int i = changes.size() - 1; i >= 0; i--) {
      String to = changes.get(i).to();
      if (to == null) {
        kept.set(i, kept.get(i) || (deletionsInOrder ? i < deletionsBefore : random.nextBoolean()));
      } else if (random.nextInt(4) < quarters) {
        kept.set(i);
        // A name is free again only when its old file is gone, and what was deleted before that.
        int deletion = lastDeletion(to, i);
        deletionsBefore = Math.max(deletionsBefore, deletion + 1);
        if (deletion >= 0) {
          kept.set(deletion);
        }
      }
    }
    return kept;
  }

  /** Where before {@code end} a file of this name was deleted; -1 if it was not. */
  private int lastDeletion(String name, int end) {
    for (int i = end - 1; i >= 0; i--) {
      Change change = changes.get(i);
      if (change.to() == null && name.equals(change.from())) {
        return i;
      }
    }
    return -1;
  }
}
