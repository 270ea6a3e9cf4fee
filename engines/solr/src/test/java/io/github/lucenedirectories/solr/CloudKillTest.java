// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.cloud.MiniSolrCloudCluster;
import org.apache.solr.common.SolrException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the nodes of a SolrCloud, which are processes of their own, while documents change and are
 * searched; the cloud has a collection of each factory, and one of Solr's own for comparison.
 * {@code -Dcloud.kills=N} kills so often, {@code -Dseed=N} makes the same choices again. Not run
 * otherwise, because Solr 10.0.0 itself loses documents then, as {@code docs/guide/solr.md} says.
 */
@EnabledIfSystemProperty(named = "cloud.kills", matches = "\\d+")
class CloudKillTest {

  private static final String CONTROL = "solr.NRTCachingDirectoryFactory";
  private static final int CHANGES_BETWEEN_COMMITS = 10;
  private static final int MOST_CHANGES = 150;
  private static final int MOST_MILLIS = 10_000;
  private static final int WAIT_SECONDS = 300;

  /** Kept if the test fails: logs, folders of the nodes, and copies of these at the last kills. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /** Loads commit as readers. */
  private final ReadWriteLock committing = new ReentrantReadWriteLock();

  private int killed;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong found = new AtomicLong();
  private final AtomicLong notFound = new AtomicLong();
  private final AtomicLong compared = new AtomicLong();

  @Test
  @SuppressForbidden(reason = "prints what it has done")
  void noAcknowledgedDocumentIsLost() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    System.out.println("-Dseed=" + seed + ", kept if it fails: " + folder);
    int kills = Integer.getInteger("cloud.kills");
    MiniSolrCloudCluster cloud = CloudCollection.start(0, folder);
    try (NodeProcess one = new NodeProcess(cloud);
        NodeProcess two = new NodeProcess(cloud)) {
      one.await();
      two.await();
      List<CloudCollection> collections = new ArrayList<>();
      for (String factory : CloudCollection.FACTORIES) {
        collections.add(CloudCollection.create(cloud, factory, -1));
      }
      collections.add(CloudCollection.create(cloud, CONTROL, -1));
      while (killed < kills) {
        // One node (0), one twice, the second time while it recovers (1), or both (2), so that no
        // other one has what a node lost.
        int kind = kills - killed < 2 ? 0 : killed == 0 ? 2 : random.nextInt(3);
        NodeProcess first = random.nextBoolean() ? one : two;
        NodeProcess second = kind == 1 ? first : first == one ? two : one;
        try (Load _ = new Load(collections, random)) {
          awaitChanges(1 + random.nextInt(MOST_CHANGES));
          // A leader that dies while the only other one recovers is more than Solr stands.
          for (CloudCollection collection : collections) {
            CloudCollection.await(collection.name, collection::inactive);
          }
          if (kind == 2) {
            killBoth(collections, first, second);
            second.start();
          } else {
            kill(collections, List.of(first));
          }
          Thread.sleep(random.nextInt(MOST_MILLIS));
          first.start();
          if (kind == 1) {
            Thread.sleep(random.nextInt(MOST_MILLIS));
            kill(collections, List.of(second));
            second.start();
          }
          one.await();
          two.await();
        }
        String after = " after " + killed + " kills, -Dseed=" + seed;
        assertAll(collections.stream().map(each -> () -> each.check(each.name + after)));
        IOUtils.rm(folder.resolve("killed"));
        System.out.printf(
            "%d kills; changes: %d acknowledged, %d not, %d commits; searches: %d answered, %d not; %d indexes compared%n",
            killed,
            acknowledged.get(),
            refused.get(),
            commits.get(),
            found.get(),
            notFound.get(),
            compared.get());
      }
      assertTrue(compared.get() > 0, "no index was compared");
    } finally {
      cloud.shutdown();
    }
  }

  private void awaitChanges(int more) throws Exception {
    long enough = acknowledged.get() + more;
    for (int i = 0; acknowledged.get() < enough; i++) {
      assertTrue(i < WAIT_SECONDS * 100, "no change is acknowledged");
      Thread.sleep(10);
    }
  }

  /**
   * Kills both nodes while no commit runs, once each TLOG replica has got updates after it fetched
   * a commit. Before these, its log may have what was acknowledged since that commit in memory
   * alone ({@code UpdateLog.commitAndSwitchToNewTlog}); if it leads next, all forget it.
   */
  private void killBoth(List<CloudCollection> collections, NodeProcess first, NodeProcess second)
      throws Exception {
    committing.writeLock().lock();
    try {
      for (CloudCollection collection : collections) {
        CloudCollection.await(collection.name, collection::behind);
      }
      awaitChanges(5 * collections.size());
      kill(collections, List.of(first, second));
    } finally {
      committing.writeLock().unlock();
    }
  }

  private void kill(List<CloudCollection> collections, List<NodeProcess> nodes) throws Exception {
    nodes.forEach(NodeProcess::kill);
    for (NodeProcess node : nodes) {
      node.copy(folder.resolve("killed").resolve(String.valueOf(++killed)));
      assertAll(
          collections.stream()
              .map(each -> () -> compared.addAndGet(each.indexes.check(node.home, each.name))));
    }
  }

  /** Changes, commits and searches all collections until it is closed. */
  private final class Load implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean stopped;

    Load(List<CloudCollection> collections, Random seeds) {
      for (CloudCollection collection : collections) {
        Random random = new Random(seeds.nextLong());
        run(200, () -> change(collection, random));
        run(1_000, () -> (answers(collection) ? found : notFound).incrementAndGet());
      }
    }

    /**
     * Never changes a collection that commits: what Solr acknowledges meanwhile stays in the
     * leader's memory until the commit ends, because {@code UpdateLog.finish} writes out another
     * log by then. Deletes nothing: Solr may index a deleted document anew from the log of a node
     * that was dead meanwhile.
     */
    private void change(CloudCollection collection, Random random) throws Exception {
      if (random.nextInt(CHANGES_BETWEEN_COMMITS) > 0 || !committing.readLock().tryLock()) {
        (collection.change(random, true) ? acknowledged : refused).incrementAndGet();
        return;
      }
      try {
        while (!stopped && !collection.commit()) {
          Thread.sleep(100);
        }
      } finally {
        committing.readLock().unlock();
      }
      commits.incrementAndGet();
    }

    private interface Work {
      void run() throws Exception;
    }

    private void run(int pauseMillis, Work work) {
      running.add(
          threads.submit(
              () -> {
                while (!stopped) {
                  work.run();
                  Thread.sleep(pauseMillis);
                }
                return null;
              }));
    }

    private static boolean answers(CloudCollection collection) throws Exception {
      try {
        collection.count();
        return true;
      } catch (SolrServerException | SolrException | IOException _) {
        return false;
      }
    }

    @Override
    public void close() {
      stopped = true;
      threads.close();
      for (Future<?> each : running) {
        if (each.state() == Future.State.FAILED) {
          throw new AssertionError(each.exceptionNow());
        }
      }
    }
  }
}
