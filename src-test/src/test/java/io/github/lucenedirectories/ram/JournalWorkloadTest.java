// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.JournalWorkload.Expected;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Owned;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/**
 * Everything that users do with indexes, for several that share a small journal, each with a thread
 * of its own, while others read their folders and copy them.
 */
@LuceneTestCase.SuppressFileSystems("*") // written with and without channels
public class JournalWorkloadTest extends LibraryTestCase {

  private static final int STEPS = 60;

  public void testSeveralIndexes() throws Exception {
    for (int round = atLeast(1); round > 0; round--) {
      Path scratch = createTempDir();
      Path journalPath = scratch.resolve("journal");
      long ringBytes = 4_096L * random().nextInt(64, 200);
      List<Path> folders = new ArrayList<>();
      List<JournalWorkload> workloads = new ArrayList<>();
      for (int i = random().nextInt(1, 5); i > 0; i--) {
        folders.add(scratch.resolve("index-" + i));
        workloads.add(new JournalWorkload(random().nextLong(), 1 << random().nextInt(8, 16)));
      }
      for (int life = 0; life < 2; life++) {
        run(journalPath, ringBytes, folders, workloads);
        for (int i = 0; i < folders.size(); i++) {
          checkClosed(folders.get(i), workloads.get(i));
        }
      }
    }
  }

  private void run(
      Path journalPath, long ringBytes, List<Path> folders, List<JournalWorkload> workloads)
      throws Exception {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    List<FutureTask<Void>> readers = new ArrayList<>();
    List<Closeable> directories = new ArrayList<>();
    boolean[] ended = new boolean[1];
    try (CommitJournal journal = CommitJournal.open(journalPath, ringBytes)) {
      try {
        for (int i = 0; i < folders.size(); i++) {
          Path folder = folders.get(i);
          JournalWorkload workload = workloads.get(i);
          Directory directory = open(folder, journal);
          directories.add(directory);
          workload.attach(directory);
          tasks.add(begin(() -> work(workload)));
          readers.add(start(() -> read(folder, workload, ended)));
        }
        while (!tasks.stream().allMatch(FutureTask::isDone)) {
          Thread.sleep(random().nextInt(30));
          journal.checkpoint();
          int backedUp = random().nextInt(folders.size());
          long least = workloads.get(backedUp).expected().least();
          journal.checkpoint();
          checkCopy(folders.get(backedUp), workloads.get(backedUp), least);
        }
        for (FutureTask<Void> task : tasks) {
          task.get();
        }
        for (JournalWorkload workload : workloads) {
          workload.close();
        }
        ended[0] = true;
        for (FutureTask<Void> reader : readers) {
          reader.get();
        }
        assertEquals(0, metric(journal, "journal.failed"));
      } finally {
        ended[0] = true;
        for (FutureTask<Void> task :
            List.of(tasks, readers).stream().flatMap(List::stream).toList()) {
          await(task::isDone);
        }
        for (JournalWorkload workload : workloads) {
          workload.giveUp();
        }
        IOUtils.close(directories);
      }
    }
  }

  private static Directory open(Path folder, CommitJournal journal) throws IOException {
    Directory below =
        random().nextBoolean() ? new HybridDirectory(folder) : new NioDirectory(folder);
    if (random().nextInt(4) == 0) {
      return Owned.over(
          new NrtCacheDirectory(below, journal),
          backing -> RamDirectory.builder().backing(backing).build());
    }
    return random().nextBoolean()
        ? new NrtCacheDirectory(below, journal)
        : new NrtCacheDirectory(below, 0.1, 0.5, journal);
  }

  private static void work(JournalWorkload workload) throws IOException {
    for (int i = 0; i < STEPS; i++) {
      workload.step();
    }
  }

  /** Another process would see the same: complete commits, never one that is older. */
  private static Void read(Path folder, JournalWorkload workload, boolean[] ended)
      throws IOException, InterruptedException {
    long last = 0;
    while (!ended[0]) {
      Thread.sleep(1);
      try (Directory directory = new MMapDirectory(folder)) {
        if (DirectoryReader.indexExists(directory)) {
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            long number = workload.check(reader);
            assertTrue("from " + last + " to " + number, number >= last);
            last = number;
          }
        }
      }
    }
    return null;
  }

  /** What Lucene needs is copied, and the rest as far as it is there. */
  private static void checkCopy(Path folder, JournalWorkload workload, long least)
      throws IOException {
    Path copy = createTempDir();
    try (Directory directory = new MMapDirectory(folder)) {
      if (!DirectoryReader.indexExists(directory)) {
        assertEquals(0, least);
        return;
      }
    }
    for (int tries = 0; ; tries++) {
      List<Path> files = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
        stream.forEach(files::add);
      }
      try {
        for (Path file : files) {
          Files.deleteIfExists(copy.resolve(file.getFileName()));
          Files.copy(file, copy.resolve(file.getFileName()));
        }
        break;
      } catch (NoSuchFileException e) {
        // The next checkpoint has deleted it.
        if (tries == 20) {
          return;
        }
      }
    }
    try (Directory directory = FSDirectory.open(copy);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(workload.check(reader) >= least);
    }
  }

  /** All is in the folder, and nothing that no commit names. */
  static void checkClosed(Path folder, JournalWorkload workload) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      long last = workload.check(directory, workload.expected(), true);
      assertEquals(workload.expected().least(), last);
      checkNothingElse(directory);
    }
  }

  /** A closed folder has what its commits name, and the link. */
  static void checkNothingElse(Directory directory) throws IOException {
    Set<String> named = new TreeSet<>(Set.of("write.lock"));
    for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
      named.addAll(commit.getFileNames());
    }
    List<String> others = new ArrayList<>(names(directory));
    others.removeAll(named);
    others.removeIf(name -> name.equals("ram-directory.lock"));
    assertTrue(others.toString(), others.size() == 1 && others.getFirst().endsWith(".closed"));
  }

  /** A writer without the journal goes on after a close, and then one with it. */
  public void testWithAndWithout() throws IOException {
    Path folder = createTempDir();
    Path journalPath = createTempDir().resolve("journal");
    JournalWorkload workload = new JournalWorkload(random().nextLong(), 1_000);
    for (int life = 0; life < 8; life++) {
      if (random().nextBoolean()) {
        try (CommitJournal journal = CommitJournal.open(journalPath, 1 << 18);
            Directory directory = open(folder, journal)) {
          live(workload, directory);
        }
      } else {
        try (Directory directory = FSDirectory.open(folder)) {
          live(workload, directory);
        }
      }
    }
    try (Directory directory = FSDirectory.open(folder)) {
      workload.check(directory, workload.expected(), true);
    }
  }

  private static void live(JournalWorkload workload, Directory directory) throws IOException {
    workload.attach(directory);
    for (int i = 0; i < 30; i++) {
      workload.step();
    }
    workload.close();
    assertEquals(workload.expected().least(), workload.check(directory, Expected.NOTHING, false));
  }
}
