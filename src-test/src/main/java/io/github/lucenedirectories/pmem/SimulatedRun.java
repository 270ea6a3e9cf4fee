package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
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
  private static final long CHUNK_BYTES = 1L << 30;
  private static final int MOST_CAPACITY_BYTES = 1 << 21;

  /** Most pages of a pool file, by their power of two. */
  private static final int MOST_PAGES_SHIFT = 8;

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

  /**
   * A run that begins with an empty device.
   *
   * @param seed of all that is random
   */
  SimulatedRun(long seed) throws IOException {
    this(new Random(seed));
  }

  private SimulatedRun(Random random) throws IOException {
    this(
        random,
        emptyDevice(random, random.nextInt(MOST_CAPACITY_BYTES)),
        0,
        new TreeMap<>(),
        random.nextInt(3) == 0 ? "x".repeat(random.nextInt(MOST_PADDING)) : "");
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
    device.watch(new EachStep());
    this.directory = device.open();
  }

  private final class EachStep implements SimulatedDevice.Watch {
    @Override
    public void before(SimulatedDevice.Step step, long offset, long length) {
      if (step != SimulatedDevice.Step.WRITE) {
        lookUnchecked();
      }
    }

    @Override
    public boolean fails(SimulatedDevice.Step step, long offset, long length) {
      if (stepsToFailure == 0 || --stepsToFailure > 0) {
        return false;
      }
      failed = step;
      return true;
    }
  }

  /**
   * A device for a directory with pool files of any size.
   *
   * @param moreBytes of all pool files but the first
   */
  static SimulatedDevice emptyDevice(Random random, long moreBytes) {
    long first =
        AddressRanges.roundUp(Layout.extentsAt(0, LOG_BYTES) + anyPages(random), Layout.PAGE_BYTES);
    return new SimulatedDevice(
        new PmemOptions(
            first,
            Layout.extentsAt(1, 0) + anyPages(random),
            first + moreBytes,
            CHUNK_BYTES,
            false));
  }

  private static long anyPages(Random random) {
    return (1L + random.nextInt(1 << random.nextInt(MOST_PAGES_SHIFT))) * Layout.PAGE_BYTES
        // What is less than a page is not used.
        + (random.nextBoolean() ? random.nextInt(Layout.PAGE_BYTES) : 0);
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
      device.watch((step, offset, length) -> {});
      IOUtils.closeWhileSuppressingExceptions(t, directory);
      throw t;
    }
  }

  private void operateUnlessFailing() throws IOException {
    failed = null;
    stepsToFailure =
        random.nextInt(OPERATIONS_PER_FAILURE) == 0 ? 1 + random.nextInt(MOST_STEPS_TO_FAILURE) : 0;
    Map<String, byte[]> before = new TreeMap<>(synced);
    long logBytes = directory.usage().logBytes();
    try {
      operate();
    } catch (LogFullException e) {
      // Nothing has changed.
      require(directory.usage().logBytes() == logBytes, "a full log changed");
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
      long logBytes = directory.usage().logBytes();
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
          requireRefused(() -> directory.compact());
          requireRefused(() -> directory.sync(unsynced()));
        }
        delete();
      }
    } catch (AlreadyClosedException e) {
      // It failed in close.
    }
    look();
    IOUtils.closeWhileHandlingException(directory);
    directory = device.open();
    check(directory);
    // What was found is durable now, whatever was asked for.
    recorded();
    files.clear();
    for (String name : directory.listAll()) {
      files.put(name, read(directory, name));
    }
    synced.clear();
    synced.putAll(files);
  }

  private void requireRefused(IORunnable change) {
    try {
      change.run();
    } catch (IOException e) {
      return;
    }
    require(false, "a change of what is not known: after a failed " + failed);
  }

  private void operate() throws IOException {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> create();
      case 3, 4, 5 -> sync();
      case 6 -> rename();
      case 7, 8 -> delete();
      case 9 -> {
        directory.syncMetaData();
        recorded();
      }
      case 10 -> {
        directory.compact();
        recorded();
      }
      default -> {
        if (random.nextInt(4) == 0) {
          reopen();
        } else {
          create();
        }
      }
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
    List<String> names = new ArrayList<>();
    for (String name : files.keySet()) {
      if (random.nextInt(3) == 0) {
        names.add(name);
      }
    }
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

  private void lookUnchecked() {
    try {
      look();
    } catch (IOException e) {
      throw new AssertionError("after power cut " + looks + " of run " + cuts, e);
    }
  }

  private void look() throws IOException {
    looks++;
    boolean goesOn = cuts < MOST_CUTS && random.nextInt(LOOKS_PER_SECOND_RUN) == 0;
    // What a killed process leaves may be read although it is not durable yet.
    SimulatedDevice left =
        goesOn && random.nextBoolean() ? device.afterKill() : device.afterPowerCut(random);
    try (PmemDirectory found = left.open()) {
      check(found);
    }
    if (!goesOn) {
      return;
    }
    Map<String, byte[]> start = new TreeMap<>();
    try (PmemDirectory found = left.open()) {
      for (String name : found.listAll()) {
        start.put(name, read(found, name));
      }
    }
    looks += new SimulatedRun(random, left, cuts + 1, start, padding).run(OPERATIONS_AFTER_CUT);
  }

  private void check(PmemDirectory found) throws IOException {
    Set<String> names = new TreeSet<>(List.of(found.listAll()));
    long taken = 0;
    for (String name : names) {
      byte[] bytes = read(found, name);
      boolean expected =
          Arrays.equals(bytes, synced.get(name))
              || possible.getOrDefault(name, List.of()).stream()
                  .anyMatch(other -> Arrays.equals(bytes, other));
      require(expected, "wrong bytes, or never synced: " + name);
      taken += new PoolExtent(0, bytes.length).pageBytes();
    }
    for (String name : synced.keySet()) {
      require(names.contains(name), "lost: " + name);
    }
    require(
        eitherOf.isEmpty() || eitherOf.stream().filter(names::contains).count() == 1,
        "renamed: " + eitherOf + ", found: " + names);
    PmemUsage usage = found.usage();
    require(
        found == directory || usage.freeBytes() + taken == usage.totalBytes(),
        "space: files take " + taken + ": " + usage);
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError("after power cut " + looks + " of run " + cuts + ": " + message);
    }
  }
}
