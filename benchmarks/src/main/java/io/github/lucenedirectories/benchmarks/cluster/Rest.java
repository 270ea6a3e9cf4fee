// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A client of nodes on loopback, which it asks in turn. Any thread may use it. */
final class Rest implements Closeable {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final int OK = 200;
  private static final int NO_SUCCESS = 300;
  private static final long PAUSE_MILLIS = 250;

  private final List<Integer> ports;
  private final AtomicInteger turn = new AtomicInteger();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Rest(List<Integer> ports) {
    this.ports = List.copyOf(ports);
  }

  private HttpRequest request(int node, String method, String path, String body, Duration most) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(node) + "/" + path))
        .header(
            "Content-Type", path.contains("_bulk") ? "application/x-ndjson" : "application/json")
        .timeout(most)
        .method(method, HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      return http.send(request, handler);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private int next() {
    return Math.floorMod(turn.getAndIncrement(), ports.size());
  }

  /** Asks the next node, and drops what it answers. Throws unless that is a success. */
  void search(String path, String body) throws IOException {
    HttpResponse<?> response =
        send(request(next(), "POST", path, body, TIMEOUT), HttpResponse.BodyHandlers.discarding());
    if (response.statusCode() != OK) {
      throw new IOException("status " + response.statusCode() + " of " + path + " " + body);
    }
  }

  /** Asks the next node. Throws unless the answer is a success. */
  JsonNode call(String method, String path, String body) throws IOException {
    return call(next(), method, path, body, TIMEOUT);
  }

  JsonNode call(int node, String method, String path, String body, Duration most)
      throws IOException {
    HttpResponse<String> response =
        send(request(node, method, path, body, most), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= NO_SUCCESS) {
      throw new IOException(
          method + " " + path + ": status " + response.statusCode() + " " + response.body());
    }
    return Fork.MAPPER.readTree(response.body());
  }

  /** Asks one node until the answer is good. Throws after a time, or when {@code fail} does. */
  void await(int node, String path, Predicate<JsonNode> good, int seconds, Check fail)
      throws IOException {
    String last = "";
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        System.nanoTime() < end; ) {
      fail.run();
      try {
        JsonNode found = call(node, "GET", path, "", Duration.ofSeconds(seconds));
        if (good.test(found)) {
          return;
        }
        last = found.toString();
      } catch (IOException e) {
        last = e.toString();
      }
      pause(PAUSE_MILLIS);
    }
    throw new IOException("waited " + seconds + " s for " + path + ": " + last);
  }

  interface Check {
    void run() throws IOException;
  }

  static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
