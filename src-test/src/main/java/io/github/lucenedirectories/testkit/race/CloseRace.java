package io.github.lucenedirectories.testkit.race;

import io.github.lucenedirectories.testkit.Contexts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOConsumer;

/**
 * Threads that read files, one that closes the readers' inputs under their hands, and one that
 * deletes, renames and writes files of the same names all the while.
 *
 * <p>A read may return the bytes of its own file or throw {@link AlreadyClosedException}; nothing
 * else. On an input whose close has returned it must throw.
 */
public final class CloseRace {

  private static final int NAMES = 6;
  private static final int READERS = 2;

  /** Clones and slices of closed inputs that each reader keeps trying. */
  private static final int STALE = 24;

  private final Directory directory;
  private final long seed;
  private final int closes;
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicReferenceArray<Opened> current = new AtomicReferenceArray<>(READERS);

  /** Runs on the directory until this many inputs were closed by another thread. */
  public CloseRace(Directory directory, long seed, int closes) {
    this.directory = directory;
    this.seed = seed;
    this.closes = closes;
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

  /** Runs the race; throws the first thing that went wrong. */
  public void run() throws InterruptedException, IOException {
    for (int i = 0; i < NAMES; i++) {
      MarkedView.write(directory, name(i), i, 500);
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      int reader = i;
      threads.add(start("race-reader-" + i, random -> new Reader(random, reader).run()));
    }
    threads.add(start("race-closer", this::closeInputs));
    threads.add(start("race-writer", this::replaceFiles));
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("after " + closed + " closes: " + thrown, thrown);
    }
  }

  private Thread start(String name, IOConsumer<Random> work) {
    Random random = new Random(seed ^ name.hashCode());
    Thread thread =
        new Thread(
            () -> {
              try {
                work.accept(random);
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private boolean running() {
    return closed.get() < closes && failure.get() == null;
  }

  private static String name(int number) {
    return "_" + number + ".dat";
  }

  private void closeInputs(Random random) throws IOException {
    while (running()) {
      Opened opened = current.getAndSet(random.nextInt(READERS), null);
      if (opened == null) {
        Thread.onSpinWait();
        continue;
      }
      for (int spin = random.nextInt(2_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
      opened.in.close();
      opened.closed = true;
      closed.incrementAndGet();
    }
  }

  /** Lets names change their content, so that memory and descriptors are used again. */
  private void replaceFiles(Random random) throws IOException {
    long generation = 1;
    while (running()) {
      int number = random.nextInt(NAMES);
      if (random.nextInt(4) == 0) {
        directory.rename(name(number), "renamed");
        directory.deleteFile("renamed");
      } else {
        directory.deleteFile(name(number));
      }
      long id = generation++ * NAMES + number;
      // Under another name first: a name that readers know holds a whole file or none.
      MarkedView.write(directory, "pending", id, 200 + random.nextInt(3) * 3_000);
      directory.rename("pending", name(number));
      // Takes and gives back the descriptors and mappings that a closed input has just left.
      for (int i = random.nextInt(3); i > 0; i--) {
        try (IndexInput other =
            directory.openInput(name(random.nextInt(NAMES)), Contexts.any(random))) {
          other.readLong();
        }
      }
    }
  }

  /** One reading thread. */
  private final class Reader {
    private final Random random;
    private final int slot;
    private final List<MarkedView> stale = new ArrayList<>();

    Reader(Random random, int slot) {
      this.random = random;
      this.slot = slot;
    }

    void run() throws IOException {
      while (running()) {
        int number = random.nextInt(NAMES);
        IOContext context =
            random.nextInt(3) == 0 ? IOContext.READONCE : Contexts.anyShared(random);
        Opened opened;
        try {
          opened = new Opened(directory.openInput(name(number), context));
        } catch (NoSuchFileException | FileNotFoundException replaced) {
          continue;
        }
        try {
          readUntilClosed(opened, number);
        } finally {
          current.compareAndSet(slot, opened, null);
          opened.in.close();
        }
        readStale();
      }
    }

    private void readUntilClosed(Opened opened, int number) throws IOException {
      long id = opened.in.readLong();
      if (id % NAMES != number) {
        throw new AssertionError("file " + number + " begins with id " + id + ": " + opened.in);
      }
      MarkedView original = new MarkedView("original", opened.in, id, 0);
      List<MarkedView> derived = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        derived.add(original.derive(random));
      }
      derived.add(derived.get(0).derive(random));
      current.set(slot, opened);
      try {
        while (running()) {
          boolean closedBefore = opened.closed;
          original.read(random);
          if (closedBefore) {
            throw new AssertionError("closed, yet it reads: " + original);
          }
          for (MarkedView view : derived) {
            view.read(random);
          }
        }
      } catch (AlreadyClosedException expected) {
        stale.addAll(derived);
      }
    }

    private void readStale() throws IOException {
      while (stale.size() > STALE) {
        stale.remove(random.nextInt(stale.size()));
      }
      for (MarkedView view : stale) {
        try {
          view.read(random);
        } catch (AlreadyClosedException expected) {
          // One of the two things that may happen.
        }
      }
    }
  }
}
