// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.request.CollectionAdminRequest;
import org.apache.solr.client.solrj.request.QueryRequest;
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
import org.jspecify.annotations.Nullable;

/**
 * A collection of two shards, each with a replica of all three types, and what it must hold. One
 * thread at a time uses it.
 */
final class CloudCollection {

  private static final int MOST_DOCUMENTS = 3_000;
  private static final int MOST_AT_ONCE = 20;
  private static final int CHECK_SECONDS = 300;
  private static final String DELETED = "";

  /** How many indexes of killed nodes were compared with what they had committed. */
  static final AtomicLong compared = new AtomicLong();

  final String name;
  private final MiniSolrCloudCluster cloud;

  /** The text of each document by its id, as acknowledged. */
  private final Map<String, String> expected;

  /** The text that a change would have given to each document, where it failed: made or not. */
  private final Map<String, String> unknown = new HashMap<>();

  /** What the cores that index have committed at least, by their names. */
  private final Map<String, Commit> committed = new ConcurrentHashMap<>();

  /** All have so many digits, so that the text of a later change is greater. */
  private int changes = 1_000_000;

  /** What a core said of a commit, and the text of documents in it by their ids. */
  private record Commit(NamedList<?> details, Map<String, String> documents) {}

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
    noteCommits(before);
    return true;
  }

  /**
   * Notes what the cores that index have committed: NRT replicas, and who leads its shard. Who led
   * it before the commit, too, must have all that was acknowledged. The others fetch files, also
   * those of a leader that has lost documents.
   */
  private void noteCommits(DocCollection before) throws Exception {
    DocCollection now = state();
    for (Slice shard : now.getActiveSlices()) {
      Replica leader = shard.getLeader();
      Map<String, String> documents = new HashMap<>();
      if (leader != null && leader.equals(before.getLeader(shard.getName()))) {
        documents.putAll(expected);
        documents.keySet().removeIf(id -> !shard.getName().equals(shardOf(id, now)));
      }
      for (Replica replica : shard) {
        boolean leads = replica.equals(leader);
        if (replica.getState() == Replica.State.ACTIVE
            && (leads || replica.getType() == Replica.Type.NRT)) {
          try {
            committed.put(
                replica.getCoreName(),
                new Commit(replication(replica, "details"), leads ? documents : Map.of()));
          } catch (SolrServerException | SolrException | IOException _) {
            // Its node is dead.
          }
        }
      }
    }
  }

  private static String shardOf(String id, DocCollection state) {
    return state.getRouter().getTargetSlice(id, null, null, null, state).getName();
  }

  private static NamedList<?> replication(Replica replica, String command)
      throws SolrServerException, IOException {
    SolrQuery query = new SolrQuery("qt", "/replication", "command", command, "follower", "false");
    try (HttpJdkSolrClient core = new HttpJdkSolrClient.Builder(replica.getCoreUrl()).build()) {
      return core.request(new QueryRequest(query));
    }
  }

  /**
   * Checks the indexes of this collection on a node that was killed, past Solr and its directories:
   * what a core had committed must be there, and whole. Then what is missing later was only in
   * Solr's update logs, or is lost after the start.
   */
  void checkIndexes(Path node) throws IOException {
    try (DirectoryStream<Path> cores = Files.newDirectoryStream(node, name + "_*")) {
      for (Path core : cores) {
        Path current = core.resolve("data/index.properties");
        Path index =
            current.resolveSibling(
                Files.exists(current)
                    ? Files.readString(current).replaceFirst("(?s).*\\bindex=(\\S+).*", "$1")
                    : "index");
        checkIndex(index, committed.get(core.getFileName().toString()));
      }
    }
  }

  private static void checkIndex(Path index, @Nullable Commit commit) throws IOException {
    try (FSDirectory files = FSDirectory.open(index)) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      try (CheckIndex check = new CheckIndex(files)) {
        check.setInfoStream(new PrintStream(text, false, StandardCharsets.UTF_8));
        assertTrue(check.checkIndex().clean, () -> "damaged: " + index + "\n" + text);
      }
      // Another folder has a whole new index, from a leader.
      if (commit == null || !index.equals(Path.of(commit.details._getStr("details/indexPath")))) {
        return;
      }
      compared.incrementAndGet();
      try (DirectoryReader reader = DirectoryReader.open(files)) {
        long generation = reader.getIndexCommit().getGeneration();
        long least = ((Number) commit.details._get("details/generation")).longValue();
        assertTrue(generation >= least, () -> index + " has " + generation + ", not " + least);
        Map<String, String> missing = new HashMap<>(commit.documents);
        IndexSearcher searcher = new IndexSearcher(reader);
        for (ScoreDoc hit : searcher.search(new MatchAllDocsQuery(), MOST_DOCUMENTS).scoreDocs) {
          Document found = searcher.storedFields().document(hit.doc);
          // A later change may be in the commit.
          missing.computeIfPresent(
              found.get("id"), (_, body) -> found.get("body").compareTo(body) < 0 ? body : null);
        }
        assertEquals(Map.of(), missing, () -> "Solr committed without them to " + index);
      }
    }
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
      Object newest = replication(shard.getLeader(), "indexversion").get("generation");
      for (Replica replica : shard.getReplicas(EnumSet.of(Replica.Type.TLOG))) {
        if (!replica.equals(shard.getLeader())
            && !Objects.equals(
                newest, replication(replica, "details")._get("details/generation"))) {
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
