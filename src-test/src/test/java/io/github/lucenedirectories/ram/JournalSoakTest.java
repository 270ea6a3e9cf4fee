// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import com.sun.management.UnixOperatingSystemMXBean;
import io.github.lucenedirectories.internal.os.ProcFs;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Sixteen indexes share a journal for a long time; memory, descriptors, journal and disk stay
 * bounded.
 *
 * <p>{@code -Dtestkit.journal.soak.minutes=120} says for how long, and prints what is recorded.
 */
@LuceneTestCase.SuppressFileSystems("*") // what is below is counted
@LuceneTestCase.SuppressSysoutChecks(bugUrl = "prints what is recorded if asked")
@TimeoutSuite(millis = 24 * 60 * 60 * 1_000)
public class JournalSoakTest extends LibraryTestCase {

  private static final int MINUTES = Integer.getInteger("testkit.journal.soak.minutes", 0);
  private static final long MILLIS = MINUTES == 0 ? 6_000 : TimeUnit.MINUTES.toMillis(MINUTES);
  private static final long INTERVAL_MILLIS = Math.clamp(MILLIS / 40, 500, 30_000);
  private static final int DOCUMENTS = MINUTES == 0 ? 500 : 10_000;
  private static final long RING_BYTES = MINUTES == 0 ? 2 << 20 : 16 << 20;
  private static final int INDEXES = 16;
  private static final int THREADS = 4;

  /**
   * By how much the highest value of the last quarter may exceed 1.25 times that of the second.
   * Other figures have no such limit.
   */
  private static final Map<String, Long> SLACK =
      Map.of(
          "resident bytes", 64L << 20,
          "heap bytes", 16L << 20,
          "off-heap bytes", 16L << 20,
          "descriptors", 100L,
          // A segment's mappings end together, and a check opens it once for each commit.
          "mappings", 3_000L,
          "threads", 16L,
          "folder bytes", 32L << 20,
          "folder files", 1_500L,
          "commit micros p50", 500_000L,
          "commit micros p99", 3_000_000L);

  private volatile boolean ended;

  public void testBounded() throws Exception {
    Path scratch = createTempDir();
    // The platform opens what it keeps.
    try (CommitJournal journal = CommitJournal.open(scratch.resolve("first"), RING_BYTES)) {
      new SoakedIndex(scratch.resolve("index"), journal, 0, 1).closeAndCheck();
    }
    long descriptors = descriptors();
    List<SoakedIndex> indexes = new ArrayList<>();
    List<Map<String, Long>> records = new ArrayList<>();
    try (CommitJournal journal = CommitJournal.open(scratch.resolve("journal"), RING_BYTES);
        Closeable _ = () -> IOUtils.close(indexes)) {
      for (int i = 0; i < INDEXES; i++) {
        Path folder = scratch.resolve("index-" + i);
        indexes.add(new SoakedIndex(folder, journal, random().nextLong(), DOCUMENTS));
      }
      List<FutureTask<Void>> tasks = new ArrayList<>();
      try {
        for (int i = 0; i < THREADS; i++) {
          Random random = new Random(random().nextLong());
          tasks.add(start(() -> work(indexes, random)));
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        while ((System.nanoTime() < end || records.size() < 8)
            && tasks.stream().noneMatch(FutureTask::isDone)) {
          Thread.sleep(INTERVAL_MILLIS);
          records.add(record(journal, indexes));
        }
      } finally {
        ended = true;
        await(() -> tasks.stream().allMatch(FutureTask::isDone));
      }
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      for (SoakedIndex index : indexes) {
        index.closeAndCheck();
      }
      assertEquals(0, metric(journal, "journal.unrecovered.folders"));
      // What is settled but less than this is not worth a write that frees it.
      assertTrue(journal.toString(), metric(journal, "journal.used.bytes") <= RING_BYTES / 4);
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
        highest(records, "journal writes")
            > highest(records.subList(0, 3 * quarter), "journal writes"));
  }

  private Void work(List<SoakedIndex> indexes, Random random) throws IOException {
    while (!ended) {
      SoakedIndex index = indexes.get(random.nextInt(INDEXES));
      if (index.use.tryLock()) {
        try {
          index.step();
        } finally {
          index.use.unlock();
        }
      }
    }
    return null;
  }

  @SuppressForbidden(reason = "prints if asked")
  private static Map<String, Long> record(CommitJournal journal, List<SoakedIndex> indexes)
      throws IOException {
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
    record.put("journal bytes", metric(journal, "journal.used.bytes"));
    record.put("journal writes", metric(journal, "journal.writes"));
    record.put("checkpoints", metric(journal, "journal.checkpoints"));
    assertEquals(0, metric(journal, "journal.failed"));
    assertTrue(record.toString(), metric(journal, "journal.used.bytes") <= RING_BYTES);
    List<Long> micros = new ArrayList<>();
    for (SoakedIndex index : indexes) {
      index.record(record, micros);
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
