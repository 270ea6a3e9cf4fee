// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.github.lucenedirectories.ram.JournalWorkload.Expected;
import io.github.lucenedirectories.ram.JournalWorld.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Power cuts at every step of a commit, a checkpoint and a recovery: each acknowledged commit is
 * found, each commit that is found is complete, and none comes from nowhere.
 *
 * <p>{@code -Dtestkit.journal.states=100000} looks at as many moments.
 */
@TimeoutSuite(millis = 24 * 60 * 60 * 1_000)
@LuceneTestCase.SuppressSysoutChecks(bugUrl = "failures of checkpoints are logged")
public class JournalCrashTest extends JournalTestCase {

  private static final long STATES = Long.getLong("testkit.journal.states", 2_500);

  private static final int BLOCK_BYTES = 1 << 12;
  private static final int LEAST_BLOCKS = 64;

  private final AtomicLong states = new AtomicLong();

  /** How many of the states have a part of a write to the journal. */
  private final AtomicLong torn = new AtomicLong();

  /** Thrown at the end: the directory under test might swallow it. */
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @SuppressForbidden(reason = "says how many states were tried")
  public void testPowerCuts() throws IOException {
    long start = System.nanoTime();
    while (goesOn()) {
      long seed = random().nextLong();
      new History(path(), new Random(seed)).run();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    if (Long.getLong("testkit.journal.states") != null) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.println("states=" + states + " torn=" + torn + " millis=" + millis);
    }
    assertTrue("states=" + states + ", torn=" + torn, torn.get() > STATES / 20);
  }

  private boolean goesOn() {
    return failure.get() == null && states.get() < STATES;
  }

  /** Some indexes and their journal, from one power cut or close to the next. */
  private final class History {
    private final Path path;
    private final Random random;
    private final long ringBytes;

    /** With the least almost all files go to the folder. */
    private final double megabytes;

    private final List<JournalWorkload> workloads;
    private JournalWorld world;

    /** What the folders have had since the last checkpoint. */
    private volatile Expected[] checkpointed;

    History(Path path, Random random) {
      this.path = path;
      this.random = random;
      ringBytes = (long) BLOCK_BYTES * (LEAST_BLOCKS + random.nextInt(100));
      megabytes = List.of(0.05, 0.2, 2.0).get(random.nextInt(3));
      int folders = random.nextInt(1, 4);
      int mostBytes = 1 << random.nextInt(8, 15);
      workloads =
          IntStream.range(0, folders)
              .mapToObj(_ -> new JournalWorkload(random.nextLong(), mostBytes))
              .toList();
      world = new JournalWorld(path, folders, random.nextLong());
      checkpointed = expected();
    }

    void run() throws IOException {
      for (int lives = random.nextInt(1, 6); lives > 0 && goesOn(); lives--) {
        live(1 << random.nextInt(3, 9));
        world.watcher = _ -> {};
        world = new JournalWorld(path, world.cut(), random.nextLong());
      }
      Files.delete(path);
    }

    private void live(int looksOneIn) throws IOException {
      long nanos = random.nextInt(3) == 0 ? random.nextInt(1_000_000) : 0;
      world.duringWrite = () -> LockSupport.parkNanos(nanos);
      List<Directory> directories = new ArrayList<>();
      // The commits of one that stays away fill the ring, once others have gone round.
      int away = random.nextInt(3) == 0 && workloads.size() > 1 ? 0 : -1;
      List<JournalWorkload> present = workloads.subList(away + 1, workloads.size());
      try (CommitJournal journal = world.open(ringBytes)) {
        boolean cut = false;
        try {
          for (JournalWorkload workload : present) {
            directories.add(openDirectory(world, workloads.indexOf(workload), journal));
            workload.attach(directories.getLast());
          }
          checkpointed = expectedOf(present);
          Random looks = new Random(random.nextLong());
          world.watcher =
              moment -> {
                // A commit makes many changes to folders and one write.
                int oneIn = world.isWriting() ? 2 : looksOneIn;
                if (goesOn() && looks.nextInt(oneIn) == 0) {
                  look(moment, world, expected(), looks, 0);
                }
              };
          for (int steps = random.nextInt(150); steps > 0 && goesOn(); steps--) {
            present.get(random.nextInt(present.size())).step();
            if (random.nextInt(20) == 0) {
              Expected[] before = expectedOf(present);
              journal.checkpoint();
              checkpointed = before;
            }
          }
          cut = random.nextBoolean();
          if (cut) {
            world.cutPower();
          }
          for (JournalWorkload workload : present) {
            workload.close();
          }
          IOUtils.close(directories);
          directories.clear();
        } catch (IOException | IllegalStateException e) {
          if (!cut) {
            throw e;
          }
        } finally {
          if (cut) {
            present.forEach(workload -> ignoringFailures(workload::giveUp));
          }
          IOUtils.closeWhileHandlingException(directories);
        }
      }
    }

    /** What is expected of these, and of the others what the last checkpoint left. */
    private Expected[] expectedOf(List<JournalWorkload> present) {
      Expected[] all = checkpointed.clone();
      for (JournalWorkload workload : present) {
        all[workloads.indexOf(workload)] = workload.expected();
      }
      return all;
    }

    private Expected[] expected() {
      return workloads.stream().map(JournalWorkload::expected).toArray(Expected[]::new);
    }

    private Directory openDirectory(JournalWorld in, int index, CommitJournal journal)
        throws IOException {
      return new NrtCacheDirectory(in.folder(index), megabytes, 5 * megabytes, journal);
    }

    /** Cuts the power now, in a copy of the world, and looks at what is found. */
    private void look(
        String moment, JournalWorld now, Expected[] expected, Random looks, int depth) {
      states.incrementAndGet();
      if (now.isWriting()) {
        torn.incrementAndGet();
      }
      Path copy = path();
      try {
        recover(copy, now.cut(), expected, looks, depth);
      } catch (IOException | RuntimeException | AssertionError e) {
        StringBuilder what = new StringBuilder(moment).append(", depth=").append(depth);
        for (int i = 0; i < workloads.size(); i++) {
          List<String> log = now.disk(i).log();
          what.append("\nfolder ").append(i).append(": expected=").append(expected[i]);
          log.subList(Math.max(0, log.size() - 40), log.size())
              .forEach(line -> what.append("\n  ").append(line));
        }
        failure.compareAndSet(null, new AssertionError("power cut " + what, e));
      } finally {
        IOUtils.deleteFilesIgnoringExceptions(copy);
      }
    }

    private void recover(Path copy, Found found, Expected[] before, Random looks, int depth)
        throws IOException {
      Expected[] expected = before.clone();
      if (looks.nextInt(3) == 0) {
        for (int i = 0; i < expected.length; i++) {
          // Without the journal it is as after the last checkpoint, or newer.
          Expected least = new Expected(checkpointed[i].least(), Set.of());
          workloads.get(i).check(found.disks().get(i), least, false);
        }
      }
      JournalWorld then = new JournalWorld(copy, found, looks.nextLong());
      if (depth < 2 && looks.nextInt(3) == 0) {
        // Once: else almost all states would be of recoveries.
        AtomicInteger left = new AtomicInteger(1 << looks.nextInt(9));
        then.watcher =
            moment -> {
              if (left.decrementAndGet() == 0) {
                look(moment, then, expected, looks, depth + 1);
              }
            };
      }
      List<Integer> order = new ArrayList<>(IntStream.range(0, expected.length).boxed().toList());
      Collections.shuffle(order, looks);
      // An index that is not opened keeps its commits in the journal.
      int first = looks.nextInt(order.size() + 1);
      for (List<Integer> part :
          List.of(order.subList(0, first), order.subList(first, order.size()))) {
        try (CommitJournal journal = then.open(ringBytes)) {
          for (int i : part) {
            try (Directory directory = openDirectory(then, i, journal)) {
              boolean deeply = looks.nextInt(8) == 0;
              long last = workloads.get(i).check(directory, expected[i], deeply);
              expected[i] = new Expected(last, expected[i].kept());
            }
          }
        }
      }
      for (int i : order) {
        // A closed link, which says that the folder is complete.
        assertEquals(1, Stream.of(then.disk(i).listAll()).filter(JournalLink::isInternal).count());
        if (looks.nextBoolean()) {
          Directory folder = then.disk(i).afterPowerCut(looks);
          assertEquals(expected[i].least(), workloads.get(i).check(folder, expected[i], false));
        }
      }
    }
  }
}
