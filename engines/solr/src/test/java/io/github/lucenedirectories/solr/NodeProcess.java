// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.solr.cloud.MiniSolrCloudCluster;

/** A node of a cloud that is a process of its own, and ends with this one. */
final class NodeProcess implements AutoCloseable {

  private static final int WAIT_SECONDS = 300;

  final Path home;
  private final int port;
  private final Path started;
  private final ProcessBuilder builder;
  private Process process;

  NodeProcess(MiniSolrCloudCluster cloud) throws IOException {
    home = Files.createTempDirectory(cloud.getBaseDir(), "node");
    started = home.resolve("started");
    Files.writeString(home.resolve("solr.xml"), CloudCollection.solrXml(home));
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path log = home.resolve("log");
    builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                // It does not live long.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlog4j2.level=INFO",
                "-cp",
                System.getProperty("java.class.path"),
                Node.class.getName(),
                home.toString(),
                String.valueOf(port),
                cloud.getZkServer().getZkAddress())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    start();
  }

  void start() throws IOException {
    Files.deleteIfExists(started);
    process = builder.start();
  }

  /** Waits until the node serves requests. Some of its replicas may still recover. */
  void await() throws IOException, InterruptedException {
    for (int i = 0; i < WAIT_SECONDS * 10 && process.isAlive() && Files.notExists(started); i++) {
      Thread.sleep(100);
    }
    if (!process.isAlive() || Files.notExists(started)) {
      throw new IOException("the node did not start: " + Files.readString(home.resolve("log")));
    }
  }

  String address() {
    return "http://127.0.0.1:" + port + "/solr";
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Copies what the node, which is dead, has left. */
  void copy(Path to) throws IOException, InterruptedException {
    Files.createDirectories(to);
    Process copying =
        new ProcessBuilder("cp", "-r", home.toString(), to.toString()).inheritIO().start();
    if (copying.waitFor() != 0) {
      throw new IOException("cannot copy " + home + " to " + to);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
