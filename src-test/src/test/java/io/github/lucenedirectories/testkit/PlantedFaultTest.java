package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.Capabilities.Storage;
import io.github.lucenedirectories.testkit.model.ModelRun;
import io.github.lucenedirectories.testkit.race.CloseRace;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/** Plants faults in a directory, and expects the kit to find each and nothing else. */
public class PlantedFaultTest extends LuceneTestCase {

  private static DirectoryUnderTest with(PlantedFault fault) {
    return new DirectoryUnderTest(
        fault.name(),
        path -> new FaultyDirectory(fault),
        new Capabilities(
            Storage.MEMORY,
            Loaded.AS_CACHED,
            false,
            Capabilities.CONTIGUOUS,
            FaultyDirectory.EDGE_BYTES,
            Set.of(),
            Set.of()),
        null);
  }

  private static void model(PlantedFault fault) throws Exception {
    new ModelRun(with(fault), createTempDir(), random().nextLong()).run(4_000);
  }

  private static void race(PlantedFault fault) throws Exception {
    try (Directory directory = new FaultyDirectory(fault)) {
      new CloseRace(directory, random().nextLong(), 600).run();
    }
  }

  public void testNothingIsFoundWhereNothingIsWrong() throws Exception {
    model(PlantedFault.NONE);
    race(PlantedFault.NONE);
  }

  public void testModelFindsFaults() {
    for (PlantedFault fault :
        List.of(
            PlantedFault.WRONG_BYTE_AT_EDGE,
            PlantedFault.FORGOTTEN_END,
            PlantedFault.IGNORED_CLOSE,
            PlantedFault.UNDELETED,
            PlantedFault.CLONE_AT_START)) {
      expectThrows(AssertionError.class, "not found: " + fault, () -> model(fault));
    }
  }

  public void testRaceFindsIgnoredClose() {
    AssertionError e = expectThrows(AssertionError.class, () -> race(PlantedFault.IGNORED_CLOSE));
    assertTrue(e.toString(), e.toString().contains("closed, yet it reads"));
  }

  public void testRaceFindsRecycledMemory() {
    AssertionError e = expectThrows(AssertionError.class, () -> race(PlantedFault.RECYCLED_MEMORY));
    // In the first word of a file or in a later one.
    assertTrue(e.toString(), e.toString().matches("(?s).*(begins with id|word \\d+ of file).*"));
  }

  public void testLeakedResourceIsFound() {
    try {
      expectThrows(
          AssertionError.class, () -> nothingLeftAfter(() -> LiveResource.DESCRIPTORS.add(1)));
    } finally {
      LiveResource.DESCRIPTORS.add(-1);
    }
  }

  public void testLeakedThreadIsFound() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            "leaked");
    try {
      expectThrows(AssertionError.class, () -> nothingLeftAfter(thread::start));
    } finally {
      end.countDown();
      thread.join();
    }
  }

  private static void nothingLeftAfter(Runnable work) throws Throwable {
    Statement statement =
        new Statement() {
          @Override
          public void evaluate() {
            work.run();
          }
        };
    new NothingLeft().apply(statement, Description.EMPTY).evaluate();
  }
}
