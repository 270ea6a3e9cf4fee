// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A node whose indexes and cluster state are also in a remote store, a repository of type {@code
 * fs}: it is killed and loses its data, and another one restores all from the store.
 */
final class RemoteStore {

  final Node node;
  private final Documents documents;

  RemoteStore(Path home) throws IOException, InterruptedException {
    node =
        new Node(
            home,
            home.resolveSibling("remote"),
            """
            cluster.remote_store.state.enabled: true
            node.attr.remote_store.segment.repository: remote
            node.attr.remote_store.translog.repository: remote
            node.attr.remote_store.state.repository: remote
            node.attr.remote_store.repository.remote.type: fs
            node.attr.remote_store.repository.remote.settings.location: WORK/snapshots
            directories.cache.size: 32mb
            """);
    documents = new Documents(node);
  }

  void run() throws IOException, InterruptedException {
    List<String> types = new ArrayList<>(List.of("hybridfs"));
    for (StoreType type : StoreType.values()) {
      types.add(type.key);
    }
    for (String type : types) {
      documents.index(type, type);
      String settings = node.call("GET", "/" + type + "/_settings", "");
      Smoke.require(type, settings, "\"remote_store\":.*\"enabled\":\"true\"");
      Smoke.require(type, settings, "\"replication\":\\{\"type\":\"SEGMENT\"");
    }
    node.call("PUT", "/_all/_settings", "{\"index.refresh_interval\": -1}");
    for (String type : types) {
      documents.bulkWithoutRefresh(type, 2 * Documents.BULK); // in the remote translog only
      documents.search(type, 2 * Documents.BULK);
    }
    node.kill();
    Node.delete(node.data().resolve("nodes"));
    node.start(health -> health.contains("\"unassigned_shards\":" + types.size()));
    String indexes = String.join("\", \"", types);
    node.call("POST", "/_remotestore/_restore", "{\"indices\": [\"" + indexes + "\"]}");
    node.await("/_cluster/health", health -> health.contains("\"green\""));
    String statistics = node.call("GET", "/_directories/stats", "");
    for (String type : types) {
      documents.requireAll(type, 3 * Documents.BULK);
      if (!type.equals("hybridfs")) {
        Smoke.require("statistics", statistics, "\"type\":\"" + type + "\",\"files\":[1-9]");
      }
    }
    Smoke.OUT.println("restored from a remote store");
  }
}
