// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.race;

import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.StaleRead;
import io.github.lucenedirectories.testkit.Subject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Inputs and directories that are closed while other threads read: thousands of times. A read
 * returns the bytes of its own file or throws {@link AlreadyClosedException}.
 *
 * <p>The system property {@value #CLOSES} sets how often; Lucene's {@code tests.multiplier}
 * multiplies it.
 */
public class CloseRaceSuite extends DirectorySuite {

  static final String CLOSES = "testkit.closes";

  public CloseRaceSuite(Subject subject) {
    super(subject);
  }

  public void testInputsClosedUnderReaders() throws Exception {
    try (Directory directory = open()) {
      int closes = Integer.getInteger(CLOSES, rounds(200, 1_200)) * RANDOM_MULTIPLIER;
      new Race(directory, closes, subject.promises()).run();
    }
  }

  public void testDirectoryClosedUnderReadersAndWriter() throws Exception {
    for (int i = 0; i < rounds(10, 60) * RANDOM_MULTIPLIER; i++) {
      closeDirectoryUnderReadersAndWriter();
    }
  }

  private void closeDirectoryUnderReadersAndWriter() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(2);
    Directory directory = open();
    byte[] bytes = content(7);
    write(directory, "file", bytes);
    List<FutureTask<?>> work = new ArrayList<>();
    try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
      for (int i = 0; i < 2; i++) {
        InputView view = InputView.of(in.clone(), bytes, 0).getFirst();
        Random random = new Random(random().nextLong());
        work.add(start(() -> read(view, random, closed, reading)));
      }
      work.add(start(() -> writeUntil(closed, directory)));
      reading.await();
      spin(random(), 5_000);
      directory.close();
      closed.set(true);
      for (FutureTask<?> each : work) {
        each.get();
      }
    }
  }

  private static @Nullable Void read(
      InputView view, Random random, AtomicBoolean closed, CountDownLatch reading)
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
  private static @Nullable Void writeUntil(AtomicBoolean closed, Directory directory) {
    try {
      for (long id = 0; !closed.get(); id++) {
        write(directory, "written", content(id));
        directory.deleteFile("written");
      }
    } catch (AlreadyClosedException | IOException e) {
      // With an output open at that moment, more than the closed directory may be reported.
      await(closed::get);
    }
    return null;
  }

  private static void spin(Random random, int most) {
    for (int spin = random.nextInt(most); spin > 0; spin--) {
      Thread.onSpinWait();
    }
  }

  /** The bytes of the file with this id, which is the first of its words. */
  private static byte[] content(long id) {
    Random random = new Random(id);
    byte[] bytes = new byte[Long.BYTES * (200 + random.nextInt(3) * 3_000)];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(id);
    return bytes;
  }

  /**
   * Threads that read files, one that closes the readers' inputs under their hands, and one that
   * deletes, renames and writes files of the same names all the while. On an input whose close has
   * returned a read must throw; one that is opened is not older than the file that had its name.
   */
  private static final class Race {

    private static final int NAMES = 6;

    /** Clones and slices of closed inputs that each reader keeps trying. */
    private static final int STALE = 24;

    private final Directory directory;
    private final int closes;
    private final Set<Promise> promises;
    private final AtomicInteger closed = new AtomicInteger();

    /** The ids of the files that have the names. */
    private final AtomicLongArray ids = new AtomicLongArray(NAMES);

    private final Queue<Opened> current = new ConcurrentLinkedQueue<>();
    private volatile boolean failed;

    Race(Directory directory, int closes, Set<Promise> promises) {
      this.directory = directory;
      this.closes = closes;
      this.promises = promises;
    }

    /** An input that one thread reads and another closes. */
    private static final class Opened {
      final IndexInput in;

      /** Set when a close has returned. */
      volatile boolean closed;

      Opened(IndexInput in) {
        this.in = in;
      }
    }

    void run() throws Exception {
      for (int i = 0; i < NAMES; i++) {
        write(directory, name(i), content(i));
      }
      List<FutureTask<?>> tasks = new ArrayList<>();
      for (IOConsumer<Random> work :
          List.<IOConsumer<Random>>of(
              this::read, this::read, this::closeInputs, this::replaceFiles)) {
        Random random = new Random(random().nextLong());
        tasks.add(
            start(
                () -> {
                  try {
                    work.accept(random);
                    return null;
                  } catch (Throwable e) {
                    failed = true;
                    throw e;
                  }
                }));
      }
      for (FutureTask<?> task : tasks) {
        task.get();
      }
    }

    private boolean running() {
      return closed.get() < closes && !failed;
    }

    private static String name(int number) {
      return "_" + number + ".dat";
    }

    private void closeInputs(Random random) throws IOException {
      while (running()) {
        Opened opened = current.poll();
        if (opened == null) {
          Thread.onSpinWait();
          continue;
        }
        spin(random, 2_000);
        opened.in.close();
        opened.closed = true;
        closed.incrementAndGet();
      }
    }

    /** Lets names change their content, so that memory and descriptors are used again. */
    private void replaceFiles(Random random) throws IOException {
      for (long generation = 1; running(); generation++) {
        int number = random.nextInt(NAMES);
        if (random.nextInt(4) == 0) {
          directory.rename(name(number), "renamed");
          directory.deleteFile("renamed");
        } else {
          directory.deleteFile(name(number));
        }
        // Under another name first: a name that readers know holds a whole file or none.
        write(directory, "pending", content(generation * NAMES + number));
        directory.rename("pending", name(number));
        ids.set(number, generation * NAMES + number);
        // Takes and gives back the descriptors and mappings that a closed input has just left.
        for (int i = random.nextInt(3); i > 0; i--) {
          try (IndexInput other =
              directory.openInput(name(random.nextInt(NAMES)), Contexts.any(random))) {
            other.readLong();
          }
        }
      }
    }

    private void read(Random random) throws IOException {
      List<InputView> stale = new ArrayList<>();
      while (running()) {
        int number = random.nextInt(NAMES);
        IOContext context =
            promises.contains(Promise.CLOSED_BY_ANY_THREAD) && random.nextInt(3) == 0
                ? IOContext.READONCE
                : Contexts.anyShared(random);
        long least = ids.get(number);
        Opened opened;
        try {
          opened = new Opened(directory.openInput(name(number), context));
        } catch (NoSuchFileException | FileNotFoundException replaced) {
          continue;
        }
        try {
          stale.addAll(readUntilClosed(opened, number, least, random));
        } finally {
          current.remove(opened);
          opened.in.close();
        }
        while (stale.size() > STALE) {
          stale.remove(random.nextInt(stale.size()));
        }
        for (InputView view : stale) {
          try {
            view.read(random);
          } catch (AlreadyClosedException expected) {
            // One of the two things that may happen.
            refused();
          }
        }
      }
    }

    private void refused() {
      if (!promises.contains(Promise.INTERRUPTS)) {
        StaleRead.refused();
      }
    }

    /** Returns the clones and slices of the input. */
    private List<InputView> readUntilClosed(Opened opened, int number, long least, Random random)
        throws IOException {
      long id = opened.in.readLong();
      assertTrue("id=" + id + ", least=" + least, id >= least && id % NAMES == number);
      List<InputView> views = InputView.of(opened.in, content(id), random.nextInt(100));
      InputView original = views.getFirst();
      List<InputView> derived = views.subList(1, views.size());
      current.add(opened);
      try {
        while (running()) {
          boolean closedBefore = opened.closed;
          if (promises.contains(Promise.CLOSED_BY_ANY_THREAD)) {
            original.read(random);
            assertFalse("closed, yet it reads: " + original, closedBefore);
          } else if (closedBefore) {
            break;
          }
          for (InputView view : derived) {
            view.read(random);
          }
        }
      } catch (AlreadyClosedException expected) {
        // What the close is for.
        refused();
      }
      return derived;
    }
  }
}
