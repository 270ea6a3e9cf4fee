package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.DiskOperation;
import io.github.lucenedirectories.testkit.durability.DurableRun;
import io.github.lucenedirectories.testkit.durability.TroubleOnce;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** Power cuts and troubles find mistakes, and find nothing where Lucene itself does it right. */
public class CarelessBackingTest extends LibraryTestCase {

  /** Plain Lucene, straight on the disk. */
  private static final DurableRun.Opener STRAIGHT = CarelessBackingTest::straight;

  private static Directory straight(Directory disk) {
    return new FilterDirectory(disk) {
      @Override
      public void close() {
        // As the directory under test: the backing stays open.
      }
    };
  }

  public void testNothingIsFoundWhereNothingIsWrong() throws IOException {
    DurableRun.lookAtEachOperation(STRAIGHT, random().nextLong());
    for (int i = 0; i < 5; i++) {
      DurableRun.cutPowerAt(random().nextInt(200), STRAIGHT, random().nextLong());
    }
  }

  public void testMistakesAreFound() {
    for (CarelessBacking.Mistake mistake : CarelessBacking.Mistake.values()) {
      DurableRun.Opener careless =
          backing -> Backed.AT_SYNC.open(new CarelessBacking(backing, mistake));
      expectThrows(
          AssertionError.class,
          "not found: " + mistake,
          () -> {
            for (int i = 0; i < 20; i++) {
              DurableRun.lookAtEachOperation(careless, random().nextLong());
            }
          });
    }
  }

  /** Plain Lucene repeats a sync that failed, and believes it. */
  public void testRepeatedSyncIsFound() {
    expectThrows(
        AssertionError.class,
        () -> {
          for (int i = 0; i < 100; i++) {
            TroubleOnce lost = new TroubleOnce(random().nextInt(20), Trouble.LOST_PAGES);
            DurableRun.troubleOnce(
                lost.only(Set.of(DiskOperation.SYNC)), STRAIGHT, random().nextLong());
          }
        });
  }

  /** Passes calls to a backing as a {@code RamDirectory} with one deliberate mistake would. */
  private static final class CarelessBacking extends FilterDirectory {

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
}
