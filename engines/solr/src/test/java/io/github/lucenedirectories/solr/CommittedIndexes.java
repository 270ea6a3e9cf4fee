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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;
import org.apache.solr.client.solrj.SolrServerException;
import org.apache.solr.client.solrj.impl.HttpJdkSolrClient;
import org.apache.solr.client.solrj.request.QueryRequest;
import org.apache.solr.client.solrj.request.SolrQuery;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.cloud.DocCollection;
import org.apache.solr.common.cloud.Replica;
import org.apache.solr.common.cloud.Slice;
import org.apache.solr.common.util.NamedList;
import org.jspecify.annotations.Nullable;

/**
 * What the cores of a collection have committed, and whether the indexes of a killed node have it.
 */
final class CommittedIndexes {

  /** What the cores that index have committed at least, by their names. */
  private final Map<String, Commit> committed = new ConcurrentHashMap<>();

  /** What a core said of a commit, and the text of documents in it by their ids. */
  private record Commit(NamedList<?> details, Map<String, String> documents) {}

  /**
   * Notes a commit that was acknowledged, for the cores that index: NRT replicas, and who leads its
   * shard. Who led it before the commit, too, must have all that was acknowledged. The others fetch
   * files, also those of a leader that has lost documents.
   *
   * @param before the state before the commit
   * @param expected the text of each document by its id, as acknowledged before the commit
   */
  void note(DocCollection before, DocCollection now, Map<String, String> expected) {
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

  static NamedList<?> replication(Replica replica, String command)
      throws SolrServerException, IOException {
    SolrQuery query = new SolrQuery("qt", "/replication", "command", command, "follower", "false");
    try (HttpJdkSolrClient core = new HttpJdkSolrClient.Builder(replica.getCoreUrl()).build()) {
      return core.request(new QueryRequest(query));
    }
  }

  /**
   * Checks the indexes of a collection on a node that was killed, past Solr and its directories:
   * what a core had committed must be there, and whole. Then what is missing later was only in
   * Solr's update logs, or is lost after the start.
   *
   * @return how many indexes could be compared with what they had committed
   */
  int check(Path node, String collection) throws IOException {
    int compared = 0;
    try (DirectoryStream<Path> cores = Files.newDirectoryStream(node, collection + "_*")) {
      for (Path core : cores) {
        Path current = core.resolve("data/index.properties");
        Path index =
            current.resolveSibling(
                Files.exists(current)
                    ? Files.readString(current).replaceFirst("(?s).*\\bindex=(\\S+).*", "$1")
                    : "index");
        if (check(index, committed.get(core.getFileName().toString()))) {
          compared++;
        }
      }
    }
    return compared;
  }

  /** Returns whether the index could be compared with the commit. */
  private static boolean check(Path index, @Nullable Commit commit) throws IOException {
    try (FSDirectory files = FSDirectory.open(index)) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      try (CheckIndex check = new CheckIndex(files)) {
        check.setInfoStream(new PrintStream(text, false, StandardCharsets.UTF_8));
        assertTrue(check.checkIndex().clean, () -> "damaged: " + index + "\n" + text);
      }
      // Another folder has a whole new index, from a leader.
      if (commit == null || !index.equals(Path.of(commit.details._getStr("details/indexPath")))) {
        return false;
      }
      try (DirectoryReader reader = DirectoryReader.open(files)) {
        long generation = reader.getIndexCommit().getGeneration();
        long least = ((Number) commit.details._get("details/generation")).longValue();
        assertTrue(generation >= least, () -> index + " has " + generation + ", not " + least);
        Map<String, String> missing = new HashMap<>(commit.documents);
        IndexSearcher searcher = new IndexSearcher(reader);
        for (ScoreDoc hit :
            searcher.search(new MatchAllDocsQuery(), CloudCollection.MOST_DOCUMENTS).scoreDocs) {
          Document found = searcher.storedFields().document(hit.doc);
          // A later change may be in the commit.
          missing.computeIfPresent(
              found.get("id"), (_, body) -> found.get("body").compareTo(body) < 0 ? body : null);
        }
        assertEquals(Map.of(), missing, () -> "Solr committed without them to " + index);
      }
      return true;
    }
  }
}
