// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.solr.client.solrj.impl.CloudSolrClient;
import org.apache.solr.client.solrj.request.CollectionAdminRequest;
import org.apache.solr.client.solrj.request.CollectionAdminRequest.AsyncCollectionAdminRequest;
import org.apache.solr.cloud.MiniSolrCloudCluster;
import org.apache.solr.common.cloud.Replica;
import org.apache.solr.common.cloud.Slice;
import org.apache.solr.embedded.JettySolrRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One factory in a SolrCloud of two nodes in this process; with {@code -Drounds=N} all of them, and
 * what can be repeated is. {@code -Dseed=N} makes the same choices.
 */
class CloudTest {

  @TempDir static Path folder;
  private static MiniSolrCloudCluster cloud;

  private static final long SEED = Long.getLong("seed", System.nanoTime());

  private final Random random = new Random(SEED);

  @BeforeAll
  static void start() throws Exception {
    cloud = CloudCollection.start(2, folder);
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      cloud.shutdown();
    } catch (Exception e) {
      // As in restart.
      if (!Stream.of(e.getSuppressed()).allMatch(TimeoutException.class::isInstance)) {
        throw e;
      }
    }
  }

  static List<String> factories() {
    return Integer.getInteger("rounds", 0) > 0
        ? CloudCollection.FACTORIES
        : List.of(
            CloudCollection.FACTORIES.get(
                new Random(SEED).nextInt(CloudCollection.FACTORIES.size())));
  }

  @ParameterizedTest
  @MethodSource("factories")
  void lifeOfACollection(String factory) throws Exception {
    CloudCollection books = CloudCollection.create(cloud, factory, 2_000);
    change(books, "created");
    for (int round = 0; round < Integer.getInteger("rounds", 1); round++) {
      run(CollectionAdminRequest.reloadCollection(factory));
      change(books, "reloaded");
      changeLeader(books);
      change(books, "another leader");
      restart(books);
      backup(books, "backup" + round);
    }
    split(books, "shard1", "rewrite");
    change(books, "split");
    split(books, "shard2", "link");
    change(books, "split with links");
    restart(books);
    run(CollectionAdminRequest.deleteCollection(factory));
  }

  private void change(CloudCollection books, String after) throws Exception {
    int refused = 0;
    for (int acknowledged = 0; acknowledged < 20; ) {
      if (books.change(random, false)) {
        acknowledged++;
      } else {
        assertTrue(++refused < 100, after);
      }
    }
    books.check(books.name + ", " + after + ", -Dseed=" + SEED);
  }

  private static void run(AsyncCollectionAdminRequest request) throws Exception {
    CloudSolrClient client = cloud.getSolrClient();
    assertTrue(request.process(client).isSuccess());
  }

  private static void split(CloudCollection books, String shard, String method) throws Exception {
    run(CollectionAdminRequest.splitShard(books.name).setShardName(shard).setSplitMethod(method));
    CloudCollection.await(
        method,
        () -> {
          Slice.State state = books.state().getSlice(shard).getState();
          return state == Slice.State.INACTIVE ? "" : shard + " is " + state;
        });
  }

  /** The two replicas that may lead a shard take turns. */
  private static void changeLeader(CloudCollection books) throws Exception {
    Replica leader = books.state().getLeader("shard1");
    for (Replica replica : books.state().getSlice("shard1")) {
      if (replica.getType() != Replica.Type.PULL && !replica.equals(leader)) {
        CollectionAdminRequest.addReplicaProperty(
                books.name, "shard1", replica.getName(), "preferredLeader", "true")
            .process(cloud.getSolrClient());
      }
    }
    CloudCollection.await(
        "another leader than " + leader,
        () -> {
          // Solr may answer without having done it.
          CollectionAdminRequest.rebalanceLeaders(books.name).process(cloud.getSolrClient());
          Replica now = books.state().getLeader("shard1");
          return now == null || now.getName().equals(leader.getName()) ? String.valueOf(now) : "";
        });
  }

  /** Stops the node of a leader and starts it again, while documents change. */
  private void restart(CloudCollection books) throws Exception {
    Slice shard = books.state().getActiveSlices().iterator().next();
    JettySolrRunner node = cloud.getReplicaJetty(shard.getLeader());
    try {
      node.stop();
    } catch (TimeoutException _) {
      // Some request took longer than Jetty waits; it has stopped all the same.
    }
    cloud.waitForJettyToStop(node);
    for (int i = 0; i < 20; i++) {
      books.change(random, false);
    }
    node.start();
    change(books, "restarted");
  }

  private static void backup(CloudCollection books, String backup) throws Exception {
    String backups = Files.createDirectories(folder.resolve("backups-" + books.name)).toString();
    run(CollectionAdminRequest.backupCollection(books.name, backup).setLocation(backups));
    String copy = books.name + "-" + backup;
    run(
        CollectionAdminRequest.restoreCollection(copy, backup)
            .setLocation(backups)
            .setNrtReplicas(1)
            .setTlogReplicas(1)
            .setPullReplicas(1));
    books.copy(copy).check(copy);
    run(CollectionAdminRequest.deleteCollection(copy));
  }
}
