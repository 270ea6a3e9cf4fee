package io.github.lucenedirectories.testkit.ram;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** Passes calls to a backing as a {@code RamDirectory} with one deliberate mistake would. */
final class CarelessBacking extends FilterDirectory {

  /** A mistake in the order of things. */
  enum Mistake {
    /** No file is synced. */
    NO_SYNC,
    /** One of the files is not synced. */
    ALL_BUT_ONE,
    /** Files are synced when the commit has got its name. */
    SYNC_AFTER_RENAME,
    /** The names of files are not synced. */
    NO_NAMES,
    /** The names of the files are synced together with that of the commit, and not before. */
    NAMES_WITH_COMMIT
  }

  private final Mistake mistake;
  private final Set<String> late = new TreeSet<>();
  private boolean committing;

  CarelessBacking(Directory backing, Mistake mistake) {
    super(backing);
    this.mistake = mistake;
  }

  @Override
  public synchronized void sync(Collection<String> names) throws IOException {
    switch (mistake) {
      case NO_SYNC -> {}
      case ALL_BUT_ONE -> super.sync(names.stream().skip(1).toList());
      case SYNC_AFTER_RENAME -> late.addAll(names);
      case NO_NAMES, NAMES_WITH_COMMIT -> super.sync(names);
    }
  }

  @Override
  public synchronized void rename(String source, String dest) throws IOException {
    super.rename(source, dest);
    committing = true;
    if (late.remove(source)) {
      late.add(dest);
    }
  }

  @Override
  public synchronized void syncMetaData() throws IOException {
    switch (mistake) {
      case NO_NAMES -> {}
      case NAMES_WITH_COMMIT -> {
        if (committing) {
          super.syncMetaData();
        }
      }
      default -> super.syncMetaData();
    }
    if (committing) {
      late.retainAll(Set.of(listAll()));
      super.sync(List.copyOf(late));
      late.clear();
      committing = false;
    }
  }
}
