// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;
import org.apache.solr.cloud.MiniSolrCloudCluster;

/** Runs a SolrCloud for trying a factory ({@code ./run cluster solr}). */
final class Cluster {

  private static final int COMMIT_MILLIS = 3_000;

  private Cluster() {}

  /**
   * Starts ZooKeeper in this process and two nodes on loopback, makes a collection, and ends with
   * the input. Argument: the factory.
   */
  @SuppressForbidden(reason = "a program")
  public static void main(String[] args) throws Exception {
    String factory = args.length == 0 ? CloudCollection.FACTORIES.getFirst() : args[0];
    if (!CloudCollection.FACTORIES.contains(factory)) {
      System.err.println("cluster: the factories are " + CloudCollection.FACTORIES);
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("solr-cluster");
    MiniSolrCloudCluster cloud = CloudCollection.start(0, folder);
    try (NodeProcess one = new NodeProcess(cloud);
        NodeProcess two = new NodeProcess(cloud)) {
      one.await();
      two.await();
      CloudCollection collection = CloudCollection.create(cloud, factory, COMMIT_MILLIS);
      String address = one.address() + "/" + collection.name;
      String text =
          """
          Two nodes, two shards, each with an NRT, a TLOG and a PULL replica; all in FOLDER until the end.
            curl 'ADDRESS/update?commit=true' -H 'Content-Type: application/json' -d '[{"id": "1", "body": "all here"}]'
            curl 'ADDRESS/select?q=body:here'
            curl 'TWO/admin/metrics?wt=prometheus' | grep solr_core_directory
          Enter, or the end of the input, ends it.
          """;
      for (Map.Entry<String, String> each :
          Map.of("FOLDER", folder.toString(), "ADDRESS", address, "TWO", two.address())
              .entrySet()) {
        text = text.replace(each.getKey(), each.getValue());
      }
      System.out.println(text);
      System.in.read();
    } finally {
      cloud.shutdown();
      IOUtils.rm(folder);
    }
    System.exit(0);
  }
}
