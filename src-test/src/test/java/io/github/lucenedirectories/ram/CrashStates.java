// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static io.github.lucenedirectories.testkit.LibraryTestCase.begin;
import static io.github.lucenedirectories.testkit.LibraryTestCase.metric;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.JournalWorkload.Expected;
import io.github.lucenedirectories.ram.RecordedFiles.Kind;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;
import org.jspecify.annotations.Nullable;

/**
 * Writes indexes to a file system whose device is recorded, and looks for each acknowledged commit
 * in what power cuts could have left of the device. {@code ./run crash-test} starts this program.
 */
public final class CrashStates {

  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final int INDEXES = 3;
  private static final int LIVES = 3;
  private static final int STEPS = 130;
  private static final int STATES_PER_RECORDING = 100;
  private static final int BLOCK_BYTES = 1 << 12;
  private static final int LEAST_BLOCKS = 64;
  private static final String DISK_BYTES = "600M";
  private static final String JOURNAL = "journal";
  private static final String MMAP = "mmap";
  private static final String POSIX = "posix";

  /** With the least almost all files go to the folder. */
  private static final double[] MEGABYTES = {5, 0.05, 0.2};

  /**
   * What is known at one moment of each index.
   *
   * @param expected what was acknowledged
   * @param attempted the last commit that was begun
   * @param inFolder the commit that the last checkpoint brought into the folder
   */
  private record Mark(List<Expected> expected, List<Long> attempted, List<Long> inFolder) {}

  private final Path scratch;
  private final String fileSystem;
  private final String kind;
  private final int wanted;
  private final Random random;
  private final Map<Kind, Integer> states = new EnumMap<>(Kind.class);
  private final List<Mark> marks = new ArrayList<>();
  private List<JournalWorkload> workloads = List.of();
  private long ringBytes;
  private volatile List<Long> inFolder = List.of();
  private int count;
  private long recordings;
  private long commits;
  private long compared;
  private final AtomicInteger failures = new AtomicInteger();
  private double ringTurns;

  /** Whether calls fail in this recording. */
  private boolean failing;

  private long checkpoints;

  private CrashStates(Path scratch, String fileSystem, String kind, int wanted, long seed) {
    this.scratch = scratch;
    this.fileSystem = fileSystem;
    this.kind = names().filter(name -> name.startsWith(kind)).findFirst().orElseThrow();
    this.wanted = wanted;
    random = new Random(seed);
  }

  /**
   * Arguments: a folder with the program {@code files}, the file system, the directory, how many
   * states, and a seed.
   */
  @SuppressForbidden(reason = "says what was tried")
  public static void main(String[] args) throws Exception {
    if (names().noneMatch(name -> name.startsWith(args[2]))) {
      System.err.println(
          "crash-test: no such directory: " + args[2] + "; there are " + names().toList());
      System.exit(2);
    }
    CrashStates test =
        new CrashStates(
            Path.of(args[0]), args[1], args[2], Integer.parseInt(args[3]), Long.parseLong(args[4]));
    String result = "FAILED or was stopped in the last state";
    try {
      test.run();
      result = "none lost, none invented";
    } finally {
      System.out.println("crash-test: " + test + ", seed=" + args[4] + ": " + result);
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "file system=%s, directory=%s, states=%d %s, recordings=%d, commits begun=%d, compared=%d,"
            + " ring turns=%.0f, checkpoints=%d, failures=%d",
        fileSystem,
        kind,
        count,
        states,
        recordings,
        commits,
        compared,
        ringTurns,
        checkpoints,
        failures.get());
  }

  private void run() throws Exception {
    Path base = scratch.resolve("base");
    @Nullable Mark found = null;
    while (count < wanted) {
      if (found == null) {
        found = startAnew(base);
      }
      long begun = sum(JournalWorkload::attempted);
      RecordedFiles disk = record(base, found);
      commits += sum(JournalWorkload::attempted) - begun;
      recordings++;
      long before = sum(JournalWorkload::compared);
      for (int i = 0; i < STATES_PER_RECORDING && count < wanted; i++) {
        check(disk);
      }
      compared += sum(JournalWorkload::compared) - before;
      found = null;
      if (random.nextBoolean()) {
        // The next recording begins with the recovery from a crash.
        Kind next = KINDS.get(random.nextInt(KINDS.size()));
        int moment = disk.moment(next, random);
        Path state = scratch.resolve("next");
        disk.build(state, next, moment, random);
        IOUtils.rm(base);
        Files.move(state, base);
        found = at(disk.marks(moment));
      }
    }
  }

  /** Makes a file system without indexes. */
  private Mark startAnew(Path base) throws IOException, InterruptedException {
    long seed = random.nextLong();
    int mostBytes = 1 << random.nextInt(8, 15);
    workloads =
        IntStream.range(0, INDEXES)
            .mapToObj(i -> new JournalWorkload(seed + i, mostBytes))
            .toList();
    ringBytes = (long) BLOCK_BYTES * (LEAST_BLOCKS + random.nextInt(100));
    RecordedFiles.run("rm", "-rf", base);
    if (fileSystem.equals(POSIX)) {
      for (int i = 0; i < INDEXES; i++) {
        Files.createDirectories(folder(base, i));
      }
    } else {
      Path image = Files.createDirectories(base).resolve(RecordedFiles.IMAGE);
      RecordedFiles.run("truncate", "-s", DISK_BYTES, image);
      RecordedFiles.run("mkfs." + fileSystem.replace("-writeback", ""), "-q", image);
    }
    List<Long> none = Collections.nCopies(INDEXES, 0L);
    return new Mark(Collections.nCopies(INDEXES, Expected.NOTHING), none, none);
  }

  private long sum(ToLongFunction<JournalWorkload> figure) {
    return workloads.stream().mapToLong(figure).sum();
  }

  /** Those of the mount. */
  private String options() {
    return switch (fileSystem) {
      case "ext4-writeback" -> "data=writeback";
      case "xfs" -> "nouuid";
      case POSIX -> "";
      default -> "defaults";
    };
  }

  /** Opens the directories of all indexes. They and what they need are to be closed in order. */
  private List<Directory> open(Path root, Deque<Closeable> opened) throws IOException {
    CommitJournal journal = null;
    if (kind.equals(JOURNAL)) {
      journal = CommitJournal.open(root.resolve(JOURNAL), ringBytes);
      opened.push(journal);
    }
    List<Directory> directories = new ArrayList<>();
    for (int i = 0; i < INDEXES; i++) {
      Directory directory = open(root, i, journal);
      opened.push(directory);
      directories.add(directory);
    }
    return directories;
  }

  private Directory open(Path root, int index, @Nullable CommitJournal journal) throws IOException {
    Path folder = folder(root, index);
    if (journal != null) {
      Directory files = index == 0 ? new HybridDirectory(folder) : new NioDirectory(folder);
      return new NrtCacheDirectory(files, MEGABYTES[index], 5 * MEGABYTES[index], journal);
    }
    if (kind.equals(MMAP)) {
      return new MMapDirectory(folder);
    }
    return DirectoriesUnderTest.all().stream()
        .filter(each -> each.name().equals(kind))
        .findFirst()
        .orElseThrow()
        .open(folder);
  }

  private static Stream<String> names() {
    return Stream.concat(
        Stream.of(JOURNAL, MMAP),
        DirectoriesUnderTest.all().stream().map(DirectoryUnderTest::name));
  }

  private static Path folder(Path root, int index) {
    return root.resolve("index-" + index);
  }

  /** Lets the indexes change several times, on a file system as a power cut left it. */
  private RecordedFiles record(Path base, Mark found) throws Exception {
    RecordedFiles disk = new RecordedFiles(scratch, base, options());
    marks.clear();
    marks.add(found);
    disk.mark();
    inFolder = found.inFolder;
    failing = fileSystem.equals(POSIX) && random.nextBoolean();
    List<Expected> expected = found.expected;
    for (int life = 0; life < LIVES; life++) {
      live(disk, expected);
      expected = workloads.stream().map(JournalWorkload::expected).toList();
    }
    disk.stop();
    return disk;
  }

  /** Opens the indexes, lets each change in a thread of its own, and closes them. */
  private void live(RecordedFiles disk, List<Expected> expected) throws Exception {
    Deque<Closeable> opened = new ArrayDeque<>();
    List<Directory> directories = open(disk.folder(), opened);
    CommitJournal journal = opened.getLast() instanceof CommitJournal shared ? shared : null;
    for (int i = 0; i < INDEXES; i++) {
      workloads.get(i).attach(directories.get(i), expected.get(i));
    }
    mark(disk);
    List<FutureTask<Void>> writers = new ArrayList<>();
    for (int i = 0; i < INDEXES; i++) {
      int index = i;
      Random own = new Random(random.nextLong());
      writers.add(begin(() -> write(disk, index, journal, directories, own)));
    }
    for (FutureTask<Void> writer : writers) {
      writer.get();
    }
    for (int i = 0; failing && i < INDEXES; i++) {
      goOn(disk, i, journal, directories, true);
    }
    for (JournalWorkload workload : workloads) {
      workload.close();
      mark(disk);
    }
    if (journal != null) {
      double written = metric(journal, "journal.written.bytes");
      ringTurns += written / metric(journal, "journal.max.bytes");
      checkpoints += metric(journal, "journal.checkpoints");
    }
    opened.removeIf(each -> each != journal);
    directories.forEach(opened::push);
    IOUtils.close(opened);
    if (journal != null) {
      inFolder = least();
    }
    mark(disk);
  }

  /** Changes an index, and goes on after each failure. */
  private void write(
      RecordedFiles disk,
      int index,
      @Nullable CommitJournal journal,
      List<Directory> directories,
      Random own)
      throws IOException {
    for (int step = 1; step <= STEPS; step++) {
      if (failing && own.nextInt(8) == 0) {
        RecordedFiles.fail(disk.folder(), failure(own));
      }
      try {
        workloads.get(index).step();
        mark(disk);
        if (index == 0 && journal != null && step % 20 == 0) {
          List<Long> before = least();
          journal.checkpoint();
          inFolder = before;
          mark(disk);
        }
      } catch (IOException | AlreadyClosedException | InternalError e) {
        if (!failing) {
          throw e;
        }
        failures.incrementAndGet();
        goOn(disk, index, journal, directories, own.nextInt(3) == 0);
      }
    }
  }

  /** Which of the next operations fails, and how often; or the next sync takes 30 s. */
  private String failure(Random random) {
    if (random.nextInt(500) == 0) {
      return "s 0 -30 1";
    }
    // Lucene's own directories ignore a sync of a folder that fails. A read of a mapped pool that
    // fails is an InternalError, after which Lucene may leave inputs open, and with them the pool.
    String operations = kind.equals(MMAP) ? "wsnr" : kind.startsWith("Pmem") ? "wsnd" : "wsnrd";
    return RecordedFiles.failure(operations, random);
  }

  /** Goes on after a failure, with the same directory or another one. */
  private void goOn(
      RecordedFiles disk,
      int index,
      @Nullable CommitJournal journal,
      List<Directory> directories,
      boolean again)
      throws IOException {
    JournalWorkload workload = workloads.get(index);
    for (int attempt = 0; ; attempt++) {
      RecordedFiles.fail(disk.folder(), "");
      try {
        workload.giveUp();
        if (again) {
          directories.get(index).close();
        }
      } catch (IOException | AlreadyClosedException | InternalError _) {
        // It is gone nevertheless.
      }
      try {
        if (again) {
          directories.set(index, open(disk.folder(), index, journal));
        }
        workload.attach(directories.get(index));
        mark(disk);
        return;
      } catch (IOException | InternalError e) {
        // Another thread may have ordered the next failure already.
        if (attempt == 100) {
          throw e;
        }
      }
    }
  }

  private List<Long> least() {
    return workloads.stream().map(each -> each.expected().least()).toList();
  }

  private synchronized void mark(RecordedFiles disk) throws IOException {
    marks.add(
        new Mark(
            workloads.stream().map(JournalWorkload::expected).toList(),
            workloads.stream().map(JournalWorkload::attempted).toList(),
            inFolder));
    disk.mark();
  }

  /** What must be found after a number of marks, and may be. */
  private Mark at(int after) {
    Mark before = marks.get(Math.max(0, after - 1));
    // What comes between looking and marking is in the mark after that.
    Mark next = marks.get(Math.clamp(after, 1, marks.size() - 1));
    Mark later = marks.get(Math.min(after + 1, marks.size() - 1));
    List<Expected> expected = new ArrayList<>();
    for (int i = 0; i < INDEXES; i++) {
      // Those that are about to be deleted may be gone.
      Set<Long> kept = new TreeSet<>(before.expected.get(i).kept());
      kept.retainAll(next.expected.get(i).kept());
      kept.retainAll(later.expected.get(i).kept());
      expected.add(new Expected(before.expected.get(i).least(), kept));
    }
    return new Mark(expected, later.attempted, before.inFolder);
  }

  private void check(RecordedFiles disk) throws Exception {
    Kind next = KINDS.get(count % KINDS.size());
    count++;
    states.merge(next, 1, Integer::sum);
    int moment = disk.moment(next, random);
    long seed = random.nextLong();
    Path state = scratch.resolve("state-" + count);
    disk.build(state, next, moment, new Random(seed));
    try {
      Path root = disk.open(state);
      try {
        check(root, at(disk.marks(moment)));
      } finally {
        disk.close(root);
      }
    } catch (CancellationException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      disk.build(scratch.resolve("failed"), next, moment, new Random(seed));
      throw new AssertionError("state=" + count + ", kind=" + next + ", entry=" + moment, e);
    } finally {
      IOUtils.rm(state);
    }
  }

  private void check(Path root, Mark found) throws IOException {
    if (kind.equals(JOURNAL)) {
      for (int i = 0; i < INDEXES; i++) {
        if (Files.isDirectory(folder(root, i))) {
          // Without the journal there is an earlier commit, which is complete.
          checkFiles(root, i, found.inFolder.get(i));
        }
      }
    }
    long[] last = new long[INDEXES];
    Deque<Closeable> opened = new ArrayDeque<>();
    try {
      List<Directory> directories = open(root, opened);
      for (int i = 0; i < INDEXES; i++) {
        JournalWorkload workload = workloads.get(i);
        boolean deeply = random.nextInt(8) == 0;
        last[i] = workload.check(directories.get(i), found.expected.get(i), deeply);
        if (last[i] > found.attempted.get(i)) {
          throw new AssertionError("from later: " + last[i] + ", begun=" + found.attempted.get(i));
        }
      }
    } finally {
      IOUtils.close(opened);
    }
    if (kind.equals(JOURNAL)) {
      for (int i = 0; i < INDEXES; i++) {
        checkFiles(root, i, last[i]);
      }
    }
  }

  /** Reads a folder as one without a journal. */
  private void checkFiles(Path root, int index, long least) throws IOException {
    try (Directory files = new MMapDirectory(folder(root, index))) {
      workloads.get(index).check(files, new Expected(least, Set.of()), false);
    }
  }
}
