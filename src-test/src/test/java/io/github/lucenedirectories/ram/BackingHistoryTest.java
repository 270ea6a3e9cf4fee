// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IORunnable;

/**
 * One {@code RamDirectory} that goes on and on over a backing with troubles: what it remembers of a
 * failure is asked again.
 *
 * <p>Commits are made as Lucene makes them, but with files that only the test writes: so there are
 * hundreds a second, and any of them may follow any failure.
 */
public class BackingHistoryTest extends LibraryTestCase {

  private static final int STEPS = 60;

  public void testHistories() throws IOException {
    for (int i = atLeast(120); i > 0; i--) {
      CrashingBacking disk = new CrashingBacking();
      try (Directory directory = BackingTest.open(disk)) {
        new History(disk, directory, new Random(random().nextLong())).run();
      }
    }
  }

  /** A commit that was published, or may have been, with the files that it names and itself. */
  private record Commit(String name, Map<String, byte[]> files) {}

  /** What one directory was asked to do, and what may be expected of it since. */
  private static final class History {
    private final CrashingBacking disk;
    private final Directory directory;
    private final Random random;

    /** The files that the directory has for sure. */
    private final Map<String, byte[]> files = new TreeMap<>();

    /** Names that it may have: those of commits whose rename or deletion failed. */
    private final Set<String> uncertain = new HashSet<>();

    private final List<Commit> commits = new ArrayList<>();
    private Commit acknowledged = new Commit("none", Map.of());

    /** Files whose deletion was reported, and those of them whose names were made durable since. */
    private final Set<String> deleted = new HashSet<>();

    private final Set<String> gone = new HashSet<>();
    private int next;

    History(CrashingBacking disk, Directory directory, Random random) {
      this.disk = disk;
      this.directory = directory;
      this.random = random;
    }

    private static boolean succeeds(IORunnable step) {
      try {
        step.run();
        return true;
      } catch (NoSuchFileException e) {
        throw new AssertionError(e);
      } catch (IOException _) {
        return false;
      }
    }

    void run() throws IOException {
      Troubles troubles = Troubles.random(random.nextLong(), 1 << random.nextInt(2, 6));
      for (int i = 0; i < STEPS; i++) {
        disk.with(random.nextInt(3) == 0 ? Troubles.NONE : troubles);
        step();
        checkFound();
        checkDirectory();
      }
      disk.with(Troubles.NONE);
      writeNew();
      assertTrue("failed without trouble", commit());
      deleteCommits();
      for (String name : List.copyOf(files.keySet())) {
        if (!acknowledged.files.containsKey(name)) {
          delete(name);
        }
      }
      checkFound();
      checkDirectory();
    }

    private void step() throws IOException {
      switch (random.nextInt(8)) {
        case 0, 1 -> writeNew();
        case 2, 3 -> commit();
        case 4 -> deleteCommits();
        case 5 -> syncMetaData();
        case 6 -> deleteSome(Set.of());
        default -> renameSome();
      }
    }

    /** By a name that is free; one that was deleted may come again. */
    private void writeNew() throws IOException {
      String name = "_" + random.nextInt(30) + ".dat";
      put(files.containsKey(name) ? "_" + next++ + "_new.dat" : name);
    }

    private void put(String name) throws IOException {
      byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(3_000) : random.nextInt(50)];
      random.nextBytes(bytes);
      gone.remove(name);
      deleted.remove(name);
      write(directory, name, bytes);
      files.put(name, bytes);
    }

    private List<String> dataFiles() {
      return files.keySet().stream().filter(name -> name.startsWith("_")).toList();
    }

    /** A file that was synced or not gets another name, and no commit has it yet. */
    private void renameSome() throws IOException {
      String source = "renamed_" + next++;
      put(source);
      if (random.nextBoolean() && !succeeds(() -> directory.sync(List.of(source)))) {
        return;
      }
      String dest = "_" + next++ + "_renamed.dat";
      if (succeeds(() -> directory.rename(source, dest))) {
        files.put(dest, files.remove(source));
      } else {
        uncertain.add(dest);
      }
    }

    private boolean syncMetaData() {
      if (!succeeds(directory::syncMetaData)) {
        return false;
      }
      gone.addAll(deleted);
      return true;
    }

    private boolean commit() throws IOException {
      Map<String, byte[]> named = new TreeMap<>();
      for (String name : dataFiles()) {
        if (random.nextInt(4) != 0) {
          named.put(name, files.get(name));
        }
      }
      boolean synced = succeeds(() -> directory.sync(named.keySet()));
      if (!synced && !succeeds(() -> directory.sync(named.keySet()))) {
        return false;
      }
      if (random.nextInt(4) == 0) {
        // Meanwhile merges go on.
        deleteSome(named.keySet());
        writeNew();
      }
      String pending = "pending_segments_" + next;
      Commit commit = new Commit("segments_" + next++, named);
      put(pending);
      named.put(commit.name, files.get(pending));
      if (!succeeds(() -> directory.sync(List.of(pending)))) {
        delete(pending);
        return false;
      }
      commits.add(commit);
      if (!succeeds(() -> directory.rename(pending, commit.name))) {
        uncertain.add(commit.name);
        delete(pending);
        return false;
      }
      files.put(commit.name, files.remove(pending));
      if (!syncMetaData()) {
        delete(commit.name);
        return false;
      }
      acknowledged = commit;
      return true;
    }

    /** Deletes all commits but the last, and then, however that went, files that only they have. */
    private void deleteCommits() throws IOException {
      for (Commit commit : commits) {
        if (commit != acknowledged
            && (files.containsKey(commit.name) || uncertain.contains(commit.name))) {
          delete(commit.name);
        }
      }
      deleteSome(Set.of());
    }

    private void deleteSome(Set<String> needed) throws IOException {
      for (String name : dataFiles()) {
        if (!needed.contains(name)
            && !acknowledged.files.containsKey(name)
            && !isNamedByOther(name)
            && random.nextInt(3) == 0) {
          delete(name);
        }
      }
    }

    /** Whether a commit has the file whose deletion was not asked for. */
    private boolean isNamedByOther(String name) {
      return commits.stream()
          .anyMatch(
              commit ->
                  files.containsKey(commit.name)
                      && !uncertain.contains(commit.name)
                      && commit.files.containsKey(name));
    }

    private void delete(String name) throws IOException {
      try {
        directory.deleteFile(name);
        files.remove(name);
        uncertain.remove(name);
        if (!name.startsWith("renamed_") && !name.startsWith("pending_")) {
          deleted.add(name);
        }
      } catch (NoSuchFileException e) {
        if (!uncertain.remove(name)) {
          throw new AssertionError("must be there: " + name, e);
        }
        files.remove(name);
      } catch (IOException _) {
        if (name.startsWith("segments_")) {
          // May be made up for at any time.
          uncertain.add(name);
        }
      }
    }

    private AssertionError failure(String problem) {
      List<String> log = disk.log();
      return new AssertionError(
          problem + " after " + log.subList(Math.max(0, log.size() - 50), log.size()));
    }

    private void checkDirectory() throws IOException {
      Set<String> below = Set.of(disk.listAll());
      Set<String> listed = new TreeSet<>(List.of(directory.listAll()));
      assertTrue(below + " but listed " + listed, listed.containsAll(below));
      listed.removeAll(files.keySet());
      listed.removeAll(uncertain);
      assertEquals("not expected", Set.of(), listed);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        if (!uncertain.contains(file.getKey())) {
          assertArrayEquals(file.getValue(), read(directory, file.getKey()));
        }
      }
    }

    private void checkFound() throws IOException {
      for (int i = 0; i < 2; i++) {
        Directory found = disk.afterPowerCut(random);
        Set<String> names = Set.of(found.listAll());
        for (Commit commit : commits) {
          if (names.contains(commit.name)) {
            for (Map.Entry<String, byte[]> file : commit.files.entrySet()) {
              String name = file.getKey();
              if (!names.contains(name) || !Arrays.equals(file.getValue(), read(found, name))) {
                throw failure("missing or not whole: " + name + " of " + commit.name);
              }
            }
          } else if (commit == acknowledged) {
            throw failure("lost: " + commit.name);
          }
        }
        for (String name : gone) {
          if (names.contains(name)) {
            throw failure("came back: " + name);
          }
        }
      }
    }
  }
}
