// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Random operations of a {@link PmemDirectory} on a {@link SimulatedDevice}, with a look, before
 * every step of ordering that it takes, at what a power cut would leave.
 *
 * <p>Each look opens the device again and requires every file that was synced, byte by byte, no
 * file that was not, and an account of all space. Some looks go on with what they found, or with
 * what a kill of the process alone would leave, so that power is cut a second time soon after an
 * open.
 *
 * <p>Pool files are of any size, down to a few pages, so that files lie in several extents and pool
 * files; so are names, so that logs become full. Now and then a step fails, and the directory is
 * used on.
 */
final class SimulatedRun {

  private static final long LOG_BYTES = Layout.logBytes(Layout.SMALLEST_POOL_BYTES);
  private static final int MOST_CAPACITY_BYTES = 1 << 21;
  private static final int MOST_PADDING = 6_000;
  private static final int MOST_FILES = 12;
  private static final int SMALL_FILE_BYTES = 6_000;
  private static final int LARGE_FILE_BYTES = 300_000;
  private static final int OPERATIONS_AFTER_CUT = 3;
  private static final int LOOKS_PER_SECOND_RUN = 40;
  private static final int MOST_CUTS = 3;
  private static final int OPERATIONS_PER_FAILURE = 12;
  private static final int MOST_STEPS_TO_FAILURE = 8;

  private final Random random;
  private final SimulatedDevice device;
  private final int cuts;

  /** What a caller may rely on. */
  private final Map<String, byte[]> synced;

  /** What may be found instead, or beside: an operation is under way, or a deletion is young. */
  private final Map<String, List<byte[]>> possible = new TreeMap<>();

  /** Two names of one file that is being renamed; one of them must be found. */
  private final List<String> eitherOf = new ArrayList<>();

  /** All complete files. */
  private final Map<String, byte[]> files;

  /** Ends each name. */
  private final String padding;

  private PmemDirectory directory;

  /** How many steps it takes until one fails; 0 if none does. */
  private int stepsToFailure;

  /** Which step failed in the operation that is under way. */
  private SimulatedDevice.@Nullable Step failed;

  private int nextName;
  private long looks;

  /** A run that begins with an empty device. */
  SimulatedRun(Random random) throws IOException {
    this(
        random,
        SimulatedDevice.ofAnySize(random, random.nextInt(MOST_CAPACITY_BYTES)),
        0,
        Map.of(),
        random.nextInt(3) > 0 ? "x".repeat(random.nextInt(MOST_PADDING)) : "");
  }

  private SimulatedRun(
      Random random, SimulatedDevice device, int cuts, Map<String, byte[]> found, String padding)
      throws IOException {
    this.random = random;
    this.device = device;
    this.cuts = cuts;
    this.synced = new TreeMap<>(found);
    this.files = new TreeMap<>(found);
    this.nextName = found.size();
    this.padding = padding;
    device.watch = this::beforeStep;
    this.directory = device.open();
  }

  private boolean beforeStep(SimulatedDevice.Step step) {
    try {
      if (step != SimulatedDevice.Step.WRITE) {
        look();
      }
    } catch (IOException e) {
      throw new AssertionError("after power cut " + looks + " of run " + cuts, e);
    }
    if (stepsToFailure == 0 || --stepsToFailure > 0) {
      return false;
    }
    failed = step;
    return true;
  }

  /**
   * Runs.
   *
   * @return how many power cuts were looked at
   * @throws AssertionError if one of them left what it must not
   */
  long run(int operations) throws IOException {
    try {
      for (int i = 0; i < operations; i++) {
        operateUnlessFailing();
      }
      directory.close();
      recorded();
      look();
      return looks;
    } catch (Throwable t) {
      // What follows is not looked at.
      device.watch = _ -> false;
      IOUtils.closeWhileHandlingException(directory);
      throw t;
    }
  }

  private void operateUnlessFailing() throws IOException {
    failed = null;
    stepsToFailure =
        random.nextInt(OPERATIONS_PER_FAILURE) == 0 ? 1 + random.nextInt(MOST_STEPS_TO_FAILURE) : 0;
    Map<String, byte[]> before = new TreeMap<>(synced);
    long logBytes = LibraryTestCase.metric(directory, "pmem.log.bytes");
    try {
      operate();
    } catch (LogFullException e) {
      // Nothing has changed.
      require(
          LibraryTestCase.metric(directory, "pmem.log.bytes") == logBytes, "a full log changed");
      synced.putAll(before);
      eitherOf.clear();
      files.keySet().retainAll(List.of(directory.listAll()));
    } catch (IOException | AlreadyClosedException e) {
      if (failed == null) {
        throw e;
      }
    }
    stepsToFailure = 0;
    if (failed != null) {
      goOnAfterFailure();
    }
  }

  /** The directory knows that something is wrong, and does no harm; the next one finds out what. */
  private void goOnAfterFailure() throws IOException {
    try {
      files.keySet().retainAll(List.of(directory.listAll()));
      long logBytes = LibraryTestCase.metric(directory, "pmem.log.bytes");
      require(logBytes > 0 && logBytes <= LOG_BYTES, "bytes of the log: " + logBytes);
      boolean breaks =
          failed == SimulatedDevice.Step.FLUSH || failed == SimulatedDevice.Step.WRITE_WORD;
      // Lucene deletes what it could not sync, and its room must not be used.
      for (String name : List.copyOf(possible.keySet())) {
        if (files.containsKey(name)) {
          delete(name);
        }
      }
      for (int i = 0; i < OPERATIONS_AFTER_CUT; i++) {
        create();
        if (breaks) {
          LibraryTestCase.expectThrows(IOException.class, () -> directory.sync(unsynced()));
        }
        delete();
      }
    } catch (AlreadyClosedException e) {
      // It failed in close.
    }
    look();
    IOUtils.closeWhileHandlingException(directory);
    directory = device.open();
    Map<String, byte[]> found = check(directory);
    // It is durable now, whatever was asked for.
    recorded();
    files.clear();
    files.putAll(found);
    synced.clear();
    synced.putAll(found);
  }

  private void operate() throws IOException {
    switch (random.nextInt(44)) {
      case 0 -> reopen();
      case 1, 2, 3, 4 -> {
        directory.syncMetaData();
        recorded();
      }
      case 5, 6, 7, 8 -> rename();
      case 9, 10, 11, 12, 13, 14, 15, 16 -> delete();
      case 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28 -> sync();
      default -> create();
    }
  }

  private void create() throws IOException {
    if (files.size() >= MOST_FILES) {
      delete();
      return;
    }
    // Names come again: an old file of the same name may be what a power cut brings back.
    String name = random.nextInt(3) == 0 ? name(random.nextInt(MOST_FILES)) : newName();
    if (files.containsKey(name)) {
      return;
    }
    int most = random.nextInt(10) == 0 ? LARGE_FILE_BYTES : SMALL_FILE_BYTES;
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int done = 0; done < bytes.length; ) {
        int n = Math.min(bytes.length - done, 1 + random.nextInt(most));
        out.writeBytes(bytes, done, n);
        done += n;
      }
    } catch (IOException e) {
      // No room, or a failure.
      directory.deleteFile(name);
      return;
    }
    files.put(name, bytes);
  }

  private String name(int number) {
    return "_" + number + padding;
  }

  private String newName() {
    String name = name(nextName++);
    return files.containsKey(name) ? newName() : name;
  }

  private void sync() throws IOException {
    List<String> names = files.keySet().stream().filter(_ -> random.nextInt(3) == 0).toList();
    List<String> unsynced = unsynced();
    unsynced.retainAll(names);
    unsynced.forEach(this::mayBeFound);
    directory.sync(names);
    if (!unsynced.isEmpty()) {
      recorded();
      unsynced.forEach(name -> synced.put(name, files.get(name)));
    }
  }

  private List<String> unsynced() {
    List<String> names = new ArrayList<>(files.keySet());
    names.removeAll(synced.keySet());
    return names;
  }

  private void mayBeFound(String name) {
    possible.computeIfAbsent(name, _ -> new ArrayList<>()).add(files.get(name));
  }

  private void rename() throws IOException {
    if (files.isEmpty()) {
      return;
    }
    String source = anyFile();
    String dest = newName();
    byte[] bytes = files.get(source);
    boolean wasSynced = synced.remove(source) != null;
    if (wasSynced) {
      mayBeFound(source);
      // A file that had the new name before may come back too.
      if (!possible.containsKey(dest)) {
        eitherOf.addAll(List.of(source, dest));
      }
    }
    files.put(dest, bytes);
    mayBeFound(dest);
    directory.rename(source, dest);
    files.remove(source);
    recorded();
    synced.put(dest, bytes);
  }

  private void delete() throws IOException {
    if (!files.isEmpty()) {
      delete(anyFile());
    }
  }

  private void delete(String name) throws IOException {
    if (synced.remove(name) != null) {
      mayBeFound(name);
    }
    files.remove(name);
    directory.deleteFile(name);
  }

  private void reopen() throws IOException {
    directory.close();
    recorded();
    files.keySet().retainAll(synced.keySet());
    directory = device.open();
    check(directory);
  }

  private String anyFile() {
    List<String> names = List.copyOf(files.keySet());
    return names.get(random.nextInt(names.size()));
  }

  /** All that was asked for is durable. */
  private void recorded() {
    possible.clear();
    eitherOf.clear();
  }

  private void look() throws IOException {
    looks++;
    boolean goesOn = cuts < MOST_CUTS && random.nextInt(LOOKS_PER_SECOND_RUN) == 0;
    // What a killed process leaves may be read although it is not durable yet.
    SimulatedDevice left =
        goesOn && random.nextBoolean() ? device.afterKill() : device.afterPowerCut(random);
    Map<String, byte[]> start;
    try (PmemDirectory found = left.open()) {
      start = check(found);
    }
    if (goesOn) {
      looks += new SimulatedRun(random, left, cuts + 1, start, padding).run(OPERATIONS_AFTER_CUT);
    }
  }

  /** Returns what was found. */
  private Map<String, byte[]> check(PmemDirectory found) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    long taken = 0;
    for (String name : found.listAll()) {
      byte[] bytes = LibraryTestCase.read(found, name);
      contents.put(name, bytes);
      boolean expected =
          Arrays.equals(bytes, synced.get(name))
              || possible.getOrDefault(name, List.of()).stream()
                  .anyMatch(other -> Arrays.equals(bytes, other));
      require(expected, "wrong bytes, or never synced: " + name);
      taken += new PoolExtent(0, bytes.length).pageBytes();
    }
    Set<String> names = contents.keySet();
    require(names.containsAll(synced.keySet()), "lost: " + synced.keySet() + ", found: " + names);
    require(
        eitherOf.isEmpty() || eitherOf.stream().filter(names::contains).count() == 1,
        "renamed: " + eitherOf + ", found: " + names);
    Map<String, Double> metrics = found.metrics();
    require(
        found == directory
            || metrics.getOrDefault("pmem.free.bytes", 0.0) + taken
                == metrics.getOrDefault("pmem.total.bytes", 0.0),
        "space: files take " + taken + ": " + metrics);
    return contents;
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError("after power cut " + looks + " of run " + cuts + ": " + message);
    }
  }
}
