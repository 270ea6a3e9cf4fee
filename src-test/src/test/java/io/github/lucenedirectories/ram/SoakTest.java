// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import com.sun.management.UnixOperatingSystemMXBean;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.ProcFs;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Storage;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Promise;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;
import org.jspecify.annotations.Nullable;

/**
 * Indexes in directories of all kinds, and some that share a journal, change for a long time.
 * Memory, descriptors, mappings, threads, disk and the times of commits stay bounded.
 *
 * <p>{@code ./run soak} says for how long, and lets files fail in the second half.
 */
@LuceneTestCase.SuppressFileSystems("*") // what is below is counted
@LuceneTestCase.SuppressSysoutChecks(bugUrl = "prints what is recorded if asked")
@TimeoutSuite(millis = 24 * 60 * 60 * 1_000)
public class SoakTest extends LibraryTestCase {

  private static final int MINUTES = Integer.getInteger("testkit.soak.minutes", 0);
  private static final long MILLIS = MINUTES == 0 ? 6_000 : TimeUnit.MINUTES.toMillis(MINUTES);
  private static final long INTERVAL_MILLIS = Math.clamp(MILLIS / 40, 500, 30_000);
  private static final int DOCUMENTS = MINUTES == 0 ? 500 : 10_000;
  private static final long RING_BYTES = MINUTES == 0 ? 2 << 20 : 16 << 20;
  private static final int WITH_JOURNAL = MINUTES == 0 ? 5 : 16;
  private static final int THREADS = 4;

  /** Where src-test/crash/files.c shows files, and lets them fail; empty if nothing does. */
  private static final String FAILING = System.getProperty("testkit.soak.failing", "");

  private static final int FAILURE_MILLIS = 2_000;

  /** In what CheckIndex reports. */
  private static final Pattern FAILED_READ =
      Pattern.compile(
          "^Checking index.*(InternalError: a fault occurred|Input/output error)", Pattern.DOTALL);

  /** All kinds that keep a commit, without a journal and in the usual chunks. */
  private static final List<DirectoryUnderTest> KINDS =
      DirectoriesUnderTest.all().stream()
          .filter(each -> each.promises().contains(Promise.DURABLE))
          .filter(each -> each.storage() != Storage.MEMORY_AND_JOURNAL)
          .filter(each -> each.chunkBytes() == DirectoryUnderTest.CONTIGUOUS)
          .toList();

  /**
   * By how much the highest value of the last quarter may exceed 1.25 times that of the second.
   * Other figures have no such limit.
   */
  private static final Map<String, Long> SLACK =
      Map.of(
          "resident bytes", 64L << 20,
          "heap bytes", 16L << 20,
          "MEMORY_BYTES", 64L << 20,
          "descriptors", 100L,
          // A segment's mappings end together, and a check opens it once for each commit.
          "mappings", 3_000L,
          "threads", 16L,
          "folder bytes", 32L << 20,
          "folder files", 1_500L,
          "commit micros p50", 500_000L,
          "commit micros p99", 3_000_000L);

  private final LongAdder failures = new LongAdder();
  private volatile boolean ended;
  private volatile boolean failing;
  private volatile @Nullable CommitJournal opened;
  private long reopened;

  public void testBounded() throws Exception {
    Path own = createTempDir();
    Path scratch = FAILING.isEmpty() ? own : Path.of(FAILING);
    // The platform opens what it keeps.
    try (CommitJournal first = CommitJournal.open(scratch.resolve("first"), RING_BYTES)) {
      new SoakedIndex(scratch.resolve("index"), () -> first, 0, 1).closeAndCheck();
    }
    long descriptors = descriptors();
    List<SoakedIndex> indexes = new ArrayList<>();
    List<Map<String, Long>> records = new ArrayList<>();
    Path path = scratch.resolve("journal");
    opened = CommitJournal.open(path, RING_BYTES);
    try (Closeable _ = () -> journal().close();
        Closeable _ = () -> IOUtils.close(indexes)) {
      for (int i = 0; i < WITH_JOURNAL; i++) {
        Path folder = scratch.resolve("index-" + i);
        indexes.add(new SoakedIndex(folder, this::journal, random().nextLong(), DOCUMENTS));
      }
      for (DirectoryUnderTest kind : KINDS) {
        // After a read of a mapped pool that fails Lucene may leave inputs open, and so the pool.
        Path root = kind.storage() == Storage.POOLS ? own : scratch;
        Path folder = root.resolve("kind-" + indexes.size());
        indexes.add(new SoakedIndex(folder, kind, random().nextLong(), DOCUMENTS));
      }
      List<FutureTask<Void>> tasks = new ArrayList<>();
      try {
        for (int i = 0; i < THREADS; i++) {
          Random random = new Random(random().nextLong());
          tasks.add(start(() -> work(indexes, random)));
        }
        long start = System.nanoTime();
        Random random = new Random(random().nextLong());
        for (long millis = 0; millis < MILLIS || records.size() < 8; ) {
          failing = !FAILING.isEmpty() && millis > MILLIS / 2;
          if (failing) {
            RecordedFiles.fail(scratch, RecordedFiles.failure("wsnrd", random));
          }
          Thread.sleep(Math.min(INTERVAL_MILLIS, FAILURE_MILLIS));
          if (tasks.stream().anyMatch(FutureTask::isDone)) {
            break;
          }
          if (failing && metric(journal(), "journal.failed") > 0) {
            openAgain(path, indexes.subList(0, WITH_JOURNAL));
          }
          millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          if (millis >= (records.size() + 1) * INTERVAL_MILLIS) {
            records.add(record(indexes));
          }
        }
      } finally {
        ended = true;
        await(() -> tasks.stream().allMatch(FutureTask::isDone));
      }
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      if (failing) {
        openAgain(path, indexes.subList(0, WITH_JOURNAL));
      }
      for (SoakedIndex index : indexes) {
        index.closeAndCheck();
      }
      assertEquals(0, metric(journal(), "journal.unrecovered.folders"));
      // What is settled but less than this is not worth a write that frees it.
      assertTrue(journal().toString(), metric(journal(), "journal.used.bytes") <= RING_BYTES / 4);
    }
    // The JVM may keep a few, for instance for an attached jstack. NothingLeft checks the threads.
    await(() -> descriptors() <= descriptors + 8);
    assertTrue(mappings().stream().noneMatch(line -> line.contains(scratch.toString())));
    int quarter = records.size() / 4;
    for (Map.Entry<String, Long> slack : SLACK.entrySet()) {
      String name = slack.getKey();
      long before = highest(records.subList(quarter, 2 * quarter), name);
      long after = highest(records.subList(3 * quarter, records.size()), name);
      assertTrue(
          name + " from " + before + " to " + after + ": " + records,
          after <= before * 1.25 + slack.getValue());
    }
    assertTrue(
        "the journal is stuck: " + records,
        reopened > 0
            || highest(records, "journal writes")
                > highest(records.subList(0, 3 * quarter), "journal writes"));
  }

  private CommitJournal journal() {
    return Objects.requireNonNull(opened);
  }

  /** A journal that has failed takes commits again once it was opened again. */
  private void openAgain(Path path, List<SoakedIndex> indexes) throws IOException {
    indexes.forEach(index -> index.use.lock());
    try {
      RecordedFiles.fail(Path.of(FAILING), "");
      indexes.forEach(index -> index.giveUp(true));
      journal().close();
      reopened++;
      opened = CommitJournal.open(path, RING_BYTES);
      for (SoakedIndex index : indexes) {
        index.goOn();
      }
      // All were found, so these are of folders whose indexes were deleted.
      for (String folder : journal().unrecoveredFolders()) {
        journal().discard(folder);
      }
    } finally {
      indexes.forEach(index -> index.use.unlock());
    }
  }

  @SuppressForbidden(reason = "prints if asked")
  private Void work(List<SoakedIndex> indexes, Random random) throws IOException {
    while (!ended) {
      SoakedIndex index = indexes.get(random.nextInt(indexes.size()));
      if (index.use.tryLock()) {
        try {
          index.step();
        } catch (IOException | IllegalStateException | InternalError e) {
          if (!failing) {
            throw new AssertionError(index.toString(), e);
          }
          failures.increment();
          index.goOn();
        } catch (AssertionError e) {
          // CheckIndex takes a read that was made to fail for damage. Damage is there at the end,
          // too.
          if (failing && FAILED_READ.matcher(String.valueOf(e.getMessage())).find()) {
            failures.increment();
            index.goOn();
            continue;
          }
          if (MINUTES > 0) {
            // JUnit prints no cause where something is left behind, too.
            e.printStackTrace();
          }
          throw new AssertionError(index.toString(), e);
        } finally {
          index.use.unlock();
        }
      }
    }
    return null;
  }

  @SuppressForbidden(reason = "prints if asked")
  private Map<String, Long> record(List<SoakedIndex> indexes) throws IOException {
    Map<String, Long> record = new TreeMap<>();
    System.gc();
    long heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .mapToLong(pool -> pool.getCollectionUsage().getUsed())
            .sum();
    record.put("heap bytes", heap);
    long resident = ProcFs.number(Path.of("/proc/self/status"), "VmRSS:").orElse(0) << 10;
    record.put("resident bytes", resident);
    record.put("mappings", (long) mappings().size());
    record.put("descriptors", descriptors());
    record.put("threads", threads());
    record.put("journal bytes", metric(journal(), "journal.used.bytes"));
    record.put("journal writes", metric(journal(), "journal.writes"));
    record.put("checkpoints", metric(journal(), "journal.checkpoints"));
    for (LiveResource resource : LiveResource.values()) {
      record.put(resource.toString(), resource.amount());
    }
    record.put("failures", failures.sum());
    record.put("journal opened again", reopened);
    assertTrue(failing || metric(journal(), "journal.failed") == 0);
    assertTrue(record.toString(), metric(journal(), "journal.used.bytes") <= RING_BYTES);
    List<Long> micros = new ArrayList<>();
    for (SoakedIndex index : indexes) {
      try {
        index.record(record, micros);
      } catch (IOException | IllegalStateException e) {
        if (!failing) {
          throw new AssertionError(index.toString(), e);
        }
      }
    }
    micros.sort(null);
    assertFalse("no commit: " + record, micros.isEmpty());
    record.put("commit micros p50", micros.get(micros.size() / 2));
    record.put("commit micros p99", micros.get(micros.size() * 99 / 100));
    if (MINUTES > 0) {
      System.out.println(record);
    }
    return record;
  }

  private static long highest(List<Map<String, Long>> records, String name) {
    return records.stream().mapToLong(record -> record.getOrDefault(name, 0L)).max().orElseThrow();
  }

  private static List<String> mappings() throws IOException {
    Path mappings = Path.of("/proc/self/maps");
    return Files.exists(mappings) ? Files.readAllLines(mappings) : List.of();
  }

  private static long threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getOpenFileDescriptorCount()
        : 0;
  }
}
