// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.request.CollectionAdminRequest;
import org.apache.solr.client.solrj.request.SolrQuery;
import org.apache.solr.client.solrj.request.UpdateRequest;
import org.apache.solr.cloud.MiniSolrCloudCluster;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.cloud.DocCollection;
import org.apache.solr.common.cloud.Replica;
import org.apache.solr.common.cloud.Slice;
import org.apache.solr.common.params.UpdateParams;
import org.apache.solr.common.util.NamedList;

/**
 * A collection of two shards, each with a replica of all three types, and what it must hold. One
 * thread at a time uses it.
 */
final class CloudCollection {

  static final int MOST_DOCUMENTS = 3_000;
  private static final int MOST_AT_ONCE = 20;
  private static final int CHECK_SECONDS = 300;
  private static final String DELETED = "";

  final String name;
  private final MiniSolrCloudCluster cloud;

  /** The text of each document by its id, as acknowledged. */
  private final Map<String, String> expected;

  /** The text that a change would have given to each document, where it failed: made or not. */
  private final Map<String, String> unknown = new HashMap<>();

  final CommittedIndexes indexes = new CommittedIndexes();

  /** All have so many digits, so that the text of a later change is greater. */
  private int changes = 1_000_000;

  private CloudCollection(MiniSolrCloudCluster cloud, String name, Map<String, String> expected) {
    this.cloud = cloud;
    this.name = name;
    this.expected = expected;
  }

  /** The factories that make collections. */
  static final List<String> FACTORIES =
      List.of(
          "HybridDirectoryFactory",
          "MappedDirectoryFactory",
          "NioDirectoryFactory",
          "NrtCacheDirectoryFactory",
          "BlockCacheDirectoryFactory",
          "RamDirectoryFactory");

  /** Starts ZooKeeper, and so many nodes in this process. */
  static MiniSolrCloudCluster start(int nodes, Path folder) throws Exception {
    return new MiniSolrCloudCluster.Builder(nodes, folder).withSolrXml(solrXml(folder)).build();
  }

  /** The configuration of nodes, which may write backups into a folder. */
  static String solrXml(Path folder) {
    return """
    <solr>
      <str name="allowPaths">%s</str>
      <solrcloud>
        <str name="host">127.0.0.1</str>
        <int name="hostPort">${hostPort:0}</int>
        <int name="zkClientTimeout">10000</int>
      </solrcloud>
    </solr>
    """
        .formatted(folder);
  }

  /**
   * Makes the collection of one factory, whose leaders commit after so many milliseconds, or never
   * by themselves (-1).
   */
  static CloudCollection create(MiniSolrCloudCluster cloud, String factory, int commitMillis)
      throws Exception {
    String options =
        factory.startsWith("BlockCache")
            ? "<int name='cacheMB'>16</int>"
            : factory.startsWith("Ram") ? "<int name='maxMB'>64</int>" : "";
    String name = factory.substring(factory.lastIndexOf('.') + 1);
    Path conf =
        Node.configure(cloud.getBaseDir().resolve("conf-" + name), Node.factory(factory, options));
    cloud.uploadConfigSet(conf, name);
    CollectionAdminRequest.createCollection(name, name, 2, 1, 1, 1)
        // Replicas poll in half of this time, in whole seconds, and never where that is none.
        .withProperty("commitMillis", String.valueOf(commitMillis))
        .process(cloud.getSolrClient());
    return new CloudCollection(cloud, name, new HashMap<>());
  }

  /** One that has been made with the documents of this one. */
  CloudCollection copy(String to) {
    return new CloudCollection(cloud, to, new HashMap<>(expected));
  }

  /**
   * Adds, replaces or deletes some documents; returns whether that was acknowledged.
   *
   * @param killing whether nodes are killed meanwhile: then nothing is deleted, and only what a
   *     leader gave a version counts, since Solr also acknowledges what a node forwards to a leader
   *     that is dead, and may lose it
   */
  boolean change(Random random, boolean killing) {
    boolean delete = !killing && random.nextInt(10) == 0;
    Map<String, String> changed = new HashMap<>();
    for (int i = 1 + random.nextInt(MOST_AT_ONCE); i > 0; i--) {
      String id = String.valueOf(random.nextInt(MOST_DOCUMENTS));
      // A change that failed may still be made, later than another one after it.
      if (!unknown.containsKey(id)) {
        changed.put(id, delete ? DELETED : "all change" + changes++);
      }
    }
    if (changed.isEmpty()) {
      return false;
    }
    unknown.putAll(changed);
    UpdateRequest request = new UpdateRequest();
    request.setParam(UpdateParams.VERSIONS, "true");
    if (delete) {
      request.deleteById(List.copyOf(changed.keySet()));
    } else {
      request.add(documents(changed, random));
    }
    try {
      NamedList<?> response = request.process(cloud.getSolrClient(), name).getResponse();
      NamedList<?> versions = (NamedList<?>) response.get(delete ? "deletes" : "adds");
      for (Map.Entry<String, ?> version : versions) {
        if (!killing || (long) version.getValue() != 0) {
          String id = version.getKey();
          apply(expected, id, Objects.requireNonNull(unknown.remove(id)));
        }
      }
    } catch (SolrServerException | SolrException | IOException _) {
      // Nobody knows what was changed.
    }
    return Collections.disjoint(unknown.keySet(), changed.keySet());
  }

  /** Commits; returns whether that was acknowledged. */
  boolean commit() throws Exception {
    DocCollection before = state();
    try {
      cloud.getSolrClient().commit(name);
    } catch (SolrServerException | SolrException | IOException _) {
      return false;
    }
    indexes.note(before, state(), expected);
    return true;
  }

  private static List<SolrInputDocument> documents(Map<String, String> texts, Random random) {
    List<SolrInputDocument> documents = new ArrayList<>();
    texts.forEach(
        (id, body) -> {
          SolrInputDocument document = new SolrInputDocument("id", id, "body", body);
          document.addField("place", random.doubles(8).mapToObj(value -> (float) value).toList());
          documents.add(document);
        });
    return documents;
  }

  private static void apply(Map<String, String> documents, String id, String body) {
    if (body.equals(DELETED)) {
      documents.remove(id);
    } else {
      documents.put(id, body);
    }
  }

  /** How many documents a search of all shards finds. */
  long count() throws Exception {
    SolrQuery query = new SolrQuery("body:all");
    query.setRows(0);
    return cloud.getSolrClient().query(name, query).getResults().getNumFound();
  }

  DocCollection state() throws Exception {
    return cloud.getZkStateReader().getClusterState().getCollection(name);
  }

  /**
   * Checks that each replica has what was acknowledged. Nothing changes the documents meanwhile.
   */
  void check(String run) throws Exception {
    await(run, this::inactive);
    await(run, () -> commit() ? "" : "not committed");
    await(run, this::difference);
    assertEquals(expected.size(), count(), run);
  }

  /** What is not yet as it must be; empty if nothing is. */
  interface Problem {
    String text() throws Exception;
  }

  static void await(String run, Problem problem) throws Exception {
    String text = textOf(problem);
    for (int i = 0; i < CHECK_SECONDS && !text.isEmpty(); i++) {
      Thread.sleep(1_000);
      text = textOf(problem);
    }
    assertEquals("", text, run);
  }

  /** A node may not answer at once. */
  private static String textOf(Problem problem) throws Exception {
    try {
      return problem.text();
    } catch (SolrServerException | SolrException | IOException e) {
      return e.toString();
    }
  }

  /** The replicas that are not active. */
  String inactive() throws Exception {
    Set<String> live = cloud.getZkStateReader().getClusterState().getLiveNodes();
    List<String> inactive = new ArrayList<>();
    for (Slice shard : state().getActiveSlices()) {
      if (shard.getLeader() == null) {
        inactive.add(shard.getName() + " has no leader");
      }
      for (Replica replica : shard) {
        if (!replica.isActive(live)) {
          inactive.add(replica.getCoreName() + " is " + replica.getState());
        }
      }
    }
    return String.join(", ", inactive);
  }

  /** The TLOG replicas that do not search their leader's newest commit yet. */
  String behind() throws Exception {
    List<String> behind = new ArrayList<>();
    for (Slice shard : state().getActiveSlices()) {
      Object newest =
          CommittedIndexes.replication(shard.getLeader(), "indexversion").get("generation");
      for (Replica replica : shard.getReplicas(EnumSet.of(Replica.Type.TLOG))) {
        if (!replica.equals(shard.getLeader())
            && !Objects.equals(
                newest,
                CommittedIndexes.replication(replica, "details")._get("details/generation"))) {
          behind.add(replica.getCoreName());
        }
      }
    }
    return String.join(", ", behind);
  }

  /** How the documents of the replicas differ from each other, or from what was acknowledged. */
  private String difference() throws Exception {
    Map<String, String> found = new HashMap<>();
    for (Slice shard : state().getActiveSlices()) {
      Map<String, List<Object>> first = null;
      for (Replica replica : shard) {
        Map<String, List<Object>> documents = documents(replica);
        if (first == null) {
          first = documents;
          documents.forEach((id, fields) -> found.put(id, (String) fields.getFirst()));
        } else if (!first.equals(documents)) {
          return replica.getCoreName() + " differs from another replica: " + text(first, documents);
        }
      }
    }
    Map<String, String> allowed = new HashMap<>(expected);
    unknown.forEach(
        (id, body) -> {
          if (found.getOrDefault(id, DELETED).equals(body)) {
            apply(allowed, id, body);
          }
        });
    if (!found.equals(allowed)) {
      return "found something else than was acknowledged: " + text(allowed, found);
    }
    expected.clear();
    expected.putAll(found);
    // The others may still be made: Solr may find them in the log of a node that starts again.
    unknown
        .entrySet()
        .removeIf(each -> found.getOrDefault(each.getKey(), DELETED).equals(each.getValue()));
    return "";
  }

  private static String text(Map<String, ?> expected, Map<String, ?> found) {
    return Stream.concat(expected.keySet().stream(), found.keySet().stream())
        .distinct()
        .filter(id -> !Objects.equals(expected.get(id), found.get(id)))
        .map(id -> id + ": " + found.get(id) + ", not " + expected.get(id))
        .toList()
        .toString();
  }

  /** The text and version of each document of one replica. */
  private static Map<String, List<Object>> documents(Replica replica) throws Exception {
    SolrQuery query = new SolrQuery("*:*");
    query.setFields("id", "body", "_version_");
    query.setRows(Integer.MAX_VALUE);
    query.set("distrib", false);
    Map<String, List<Object>> documents = new HashMap<>();
    try (HttpJdkSolrClient core = new HttpJdkSolrClient.Builder(replica.getCoreUrl()).build()) {
      for (SolrDocument document : core.query(query).getResults()) {
        documents.put(
            (String) document.get("id"), List.of(document.get("body"), document.get("_version_")));
      }
    }
    return documents;
  }
}
