package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.DiskOperation;
import io.github.lucenedirectories.testkit.durability.DurableRun;
import io.github.lucenedirectories.testkit.durability.TroubleOnce;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import io.github.lucenedirectories.testkit.ram.CarelessBacking.Mistake;
import java.io.IOException;
import java.util.Set;
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
    for (Mistake mistake : Mistake.values()) {
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
}
