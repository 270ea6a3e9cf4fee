package io.github.lucenedirectories.testkit.race;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Inputs and directories that are closed while other threads read: thousands of times.
 *
 * <p>The system property {@value #CLOSES} sets how often; Lucene's {@code tests.multiplier}
 * multiplies it.
 */
public class CloseRaceTest extends DirectorySuite {

  static final String CLOSES = "testkit.closes";

  public CloseRaceTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }

  public void testInputsClosedUnderReaders() throws Exception {
    try (Directory directory = open()) {
      int closes = Integer.getInteger(CLOSES, Sample.rounds(200, 1_200)) * RANDOM_MULTIPLIER;
      new CloseRace(directory, random().nextLong(), closes).run();
    }
  }

  public void testDirectoryClosedUnderReadersAndWriter() throws Exception {
    for (int i = 0; i < Sample.rounds(10, 60) * RANDOM_MULTIPLIER; i++) {
      closeDirectoryUnderReadersAndWriter();
    }
  }

  private void closeDirectoryUnderReadersAndWriter() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch reading = new CountDownLatch(2);
    Directory directory = open();
    MarkedView.write(directory, "file", 7, 2_000);
    try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
      for (int i = 0; i < 2; i++) {
        MarkedView view = new MarkedView("clone", in.clone(), 7, 0);
        Random random = new Random(random().nextLong());
        threads.add(
            new Thread(
                () -> {
                  int afterClose = 0;
                  try {
                    while (afterClose < 100) {
                      view.read(random);
                      reading.countDown();
                      afterClose += closed.get() ? 1 : 0;
                    }
                  } catch (AlreadyClosedException e) {
                    assertNotNull(e.getMessage());
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                },
                "directory-reader-" + i));
      }
      threads.add(new Thread(() -> write(directory, closed, failure), "directory-writer"));
      threads.forEach(Thread::start);
      reading.await();
      for (int spin = random().nextInt(5_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      directory.close();
      closed.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  /** Writes and deletes until the directory is gone. */
  private static void write(
      Directory directory, AtomicBoolean closed, AtomicReference<Throwable> failure) {
    try {
      for (long id = 0; !closed.get(); id++) {
        MarkedView.write(directory, "written", id, id % 2 == 0 ? 300 : 5_000);
        directory.deleteFile("written");
      }
    } catch (AlreadyClosedException | IOException e) {
      // With an output open at that moment, more than the closed directory may be reported.
      if (!closedSoon(closed)) {
        failure.compareAndSet(null, e);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Whether the directory is closed, or in the middle of its close. */
  private static boolean closedSoon(AtomicBoolean closed) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (!closed.get() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    return closed.get();
  }
}
