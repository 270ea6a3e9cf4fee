// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.embedded.EmbeddedSolrServer;
import org.apache.solr.client.solrj.request.QueryRequest;
import org.apache.solr.client.solrj.request.SolrQuery;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.params.ModifiableSolrParams;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.CoreContainer;
import org.apache.solr.core.SolrCore;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/** A Solr node of this process, with one core or more, which other nodes reach by HTTP. */
final class Node implements AutoCloseable {

  private final Path home;
  private final JettySolrRunner server;
  private final CoreContainer container;
  private final SolrClient client;

  static {
    // Else followers must list the addresses of their leaders.
    System.setProperty("solr.security.allow.urls.enabled", "false");
  }

  /** Starts a node; cores that the folder has are loaded. */
  Node(Path home) throws Exception {
    this.home = Files.createDirectories(home);
    Files.writeString(
        home.resolve("solr.xml"),
        "<solr><str name='allowPaths'>" + home.getParent() + "</str></solr>");
    server = new JettySolrRunner(home.toString(), JettyConfig.builder().build());
    server.start();
    container = server.getCoreContainer();
    client = new EmbeddedSolrServer(container, null);
  }

  /**
   * Runs a node of a cloud in a process of its own, until the process that started it ends.
   * Arguments: the node's folder, its port, the address of ZooKeeper. Makes a file in the folder
   * once the node is started.
   */
  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("zkHost", args[2]);
    JettyConfig config = JettyConfig.builder().setPort(Integer.parseInt(args[1])).build();
    new JettySolrRunner(args[0], properties, config).start();
    Files.createFile(Path.of(args[0], "started"));
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  /** The address of a core, for its followers. */
  String address(String core) {
    return server.getBaseUrl() + "/" + core;
  }

  /** The configuration of a directory factory; of this package if the name has no other. */
  static String factory(String name, String... options) {
    String type = name.contains(".") ? name : Node.class.getPackageName() + "." + name;
    return "<directoryFactory name='DirectoryFactory' class='"
        + type
        + "'>"
        + String.join("", options)
        + "</directoryFactory>";
  }

  /** Writes the configuration of a core and loads it. */
  Node create(String core, String factories) throws IOException {
    configure(core, factories);
    container.create(core, Map.of());
    return this;
  }

  void configure(String core, String factories) throws IOException {
    configure(home.resolve(core).resolve("conf"), factories);
  }

  /** Writes a configuration into a folder, and returns the folder. */
  static Path configure(Path folder, String factories) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("managed-schema.xml"), resource("schema.xml"));
    Files.writeString(
        folder.resolve("solrconfig.xml"),
        resource("solrconfig.xml").replace("<!-- factories -->", factories));
    return folder;
  }

  /** Loads a core of the configuration that comes with the manifests. */
  void createDeployed(String core, Map<String, String> properties) throws IOException {
    Path from = Path.of("deploy/conf");
    Path folder = Files.createDirectories(home.resolve(core).resolve("conf"));
    Files.copy(from.resolve("schema.xml"), folder.resolve("schema.xml"));
    Files.writeString(
        folder.resolve("solrconfig.xml"),
        // Solr's own handlers of these names need an artifact that is not published.
        Files.readString(from.resolve("solrconfig.xml"))
            .replace(
                "</config>",
                """
                <requestHandler name="/export" class="solr.SearchHandler"/>
                <requestHandler name="/stream" class="solr.SearchHandler"/>
                <requestHandler name="/graph" class="solr.SearchHandler"/>
                </config>
                """));
    container.create(core, properties);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Node.class.getResourceAsStream("/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  void add(String core, int from, int to) throws Exception {
    add(core, from, to, true);
  }

  void add(String core, int from, int to, boolean vectors) throws Exception {
    for (int i = from; i < to; i++) {
      SolrInputDocument document = new SolrInputDocument();
      document.addField("id", String.valueOf(i));
      document.addField("body", "all number" + i + " mod" + i % 10);
      if (vectors) {
        Random random = new Random(i);
        document.addField("place", random.doubles(8).mapToObj(value -> (float) value).toList());
      }
      client.add(core, document);
    }
  }

  void add(String core, List<SolrInputDocument> documents) throws Exception {
    client.add(core, documents);
  }

  void commit(String core) throws Exception {
    client.commit(core);
  }

  void softCommit(String core) throws Exception {
    client.commit(core, true, true, true);
  }

  void delete(String core, String query) throws Exception {
    client.deleteByQuery(core, query);
  }

  long count(String core, String query) throws Exception {
    return client.query(core, new SolrQuery(query)).getResults().getNumFound();
  }

  /** The ids of all documents. */
  Set<String> ids(String core) throws Exception {
    SolrQuery query = new SolrQuery("*:*");
    query.setFields("id");
    query.setRows(Integer.MAX_VALUE);
    return client.query(core, query).getResults().stream()
        .map(document -> (String) document.getFieldValue("id"))
        .collect(Collectors.toSet());
  }

  /** The ids of the nearest documents. */
  List<Object> nearest(String core, String vector) throws Exception {
    SolrQuery query = new SolrQuery("{!knn f=place topK=10}" + vector);
    query.setFields("id");
    return client.query(core, query).getResults().stream()
        .map(document -> document.getFieldValue("id"))
        .toList();
  }

  /** A page of large documents that a handler finds. */
  List<String> page(String core, String handler) throws Exception {
    SolrQuery query = new SolrQuery("body:large");
    query.setRequestHandler(handler);
    query.setStart(20);
    query.setRows(50);
    query.setFields("id", "body");
    return client.query(core, query).getResults().stream().map(Object::toString).toList();
  }

  /** Sends a command to the replication handler. */
  NamedList<?> replication(String core, String... params) throws Exception {
    ModifiableSolrParams all = new ModifiableSolrParams();
    for (int i = 0; i < params.length; i += 2) {
      all.set(params[i], params[i + 1]);
    }
    QueryRequest request = new QueryRequest(all);
    request.setPath("/replication");
    return client.request(request, core);
  }

  /** Removes a core and its files. */
  void remove(String core) {
    container.unload(core, true, true, true);
  }

  void reload(String core) {
    container.reload(core);
  }

  /** A core, which the caller closes. */
  SolrCore core(String core) {
    return container.getCore(core);
  }

  CoreContainer container() {
    return container;
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the node does not stop", e);
    }
  }
}
