package io.github.lucenedirectories.testkit.race;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

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
    CountDownLatch reading = new CountDownLatch(2);
    Directory directory = open();
    MarkedView.write(directory, "file", 7, 2_000);
    try (IndexInput in = directory.openInput("file", IOContext.DEFAULT);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        MarkedView view = new MarkedView("clone", in.clone(), 7, 0);
        Random random = new Random(random().nextLong());
        work.add(threads.submit(() -> read(view, random, closed, reading)));
      }
      work.add(threads.submit(() -> write(directory, closed)));
      reading.await();
      for (int spin = random().nextInt(5_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      directory.close();
      closed.set(true);
      for (Future<?> each : work) {
        each.get();
      }
    }
  }

  private static @Nullable Void read(
      MarkedView view, Random random, AtomicBoolean closed, CountDownLatch reading)
      throws IOException {
    try {
      for (int afterClose = 0; afterClose < 100; afterClose += closed.get() ? 1 : 0) {
        view.read(random);
        reading.countDown();
      }
    } catch (AlreadyClosedException e) {
      assertNotNull(e.getMessage());
    }
    return null;
  }

  /** Writes and deletes until the directory is gone. */
  private static @Nullable Void write(Directory directory, AtomicBoolean closed) {
    try {
      for (long id = 0; !closed.get(); id++) {
        MarkedView.write(directory, "written", id, id % 2 == 0 ? 300 : 5_000);
        directory.deleteFile("written");
      }
    } catch (AlreadyClosedException | IOException e) {
      // With an output open at that moment, more than the closed directory may be reported.
      await(closed::get);
    }
    return null;
  }
}
