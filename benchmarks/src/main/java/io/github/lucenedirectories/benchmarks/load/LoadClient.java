// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The one client of a {@link LoadServer}, which sends as {@link OpenLoop} says. For one thread. */
public final class LoadClient implements Closeable {
  /* More would not be answered sooner, and would only fill the server's tables. */
  static final int CONNECTIONS = 128;

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long SUMMARY_SECONDS = 120;

  private final String address;
  private final String welcome;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .executor(threads)
          .build();

  /** Asks a server what it serves. */
  public LoadClient(InetSocketAddress server) throws IOException {
    address = server.getHostString() + ":" + server.getPort();
    try {
      welcome = control("GET", "welcome");
    } catch (IOException | RunFailedException e) {
      close();
      throw new UsageException(
          e instanceof ConnectException || e instanceof HttpTimeoutException
              ? "no load server at " + address + ": it cannot be reached"
              : Numbers.text(
                  "no load server of this version at %s (%s): run the same build on both machines",
                  address, String.valueOf(e.getMessage())),
          e);
    }
  }

  public String welcome() {
    return welcome;
  }

  /** Begins a session. Fails if another client has one. */
  public void begin() throws IOException {
    control("POST", "begin");
  }

  /** Ends the session. Returns what the server saw, as JSON. */
  public String finish() throws IOException {
    return control("POST", "finish");
  }

  private String control(String method, String what) throws IOException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(uri(what))
                .method(method, BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(SUMMARY_SECONDS)),
            BodyHandlers.ofString());
    if (response.statusCode() != LoadServer.OK) {
      boolean told = response.statusCode() == LoadServer.CONFLICT;
      String status = told ? "" : "status " + response.statusCode() + " ";
      throw new RunFailedException(
          "the load server at " + address + " refused: " + status + response.body());
    }
    return response.body();
  }

  private URI uri(String what) {
    return URI.create("http://" + address + LoadServer.PATH + what);
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      return http.send(request.build(), handler);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Sends the requests of a step, and waits so long after its end for late answers. */
  public StepResult run(StepClock clock, double patienceSeconds) throws IOException {
    String span = control("POST", "mark");
    OpenLoop loop =
        new OpenLoop(
            "the connection to the load server at " + address,
            clock,
            CONNECTIONS,
            query -> search(span, query));
    StepResult result = loop.run(patienceSeconds);
    // From now on the server turns away what still waits there.
    control("POST", "mark");
    if (!loop.awaitEnd(SUMMARY_SECONDS)) {
      throw new RunFailedException("the load server at " + address + " does not answer");
    }
    return result;
  }

  private OpenLoop.Outcome search(String span, int query) throws IOException {
    HttpResponse<?> response =
        send(
            HttpRequest.newBuilder(uri("search/" + span + "/" + query)), BodyHandlers.discarding());
    return switch (response.statusCode()) {
      case LoadServer.OK -> OpenLoop.Outcome.DONE;
      case LoadServer.FAILED -> OpenLoop.Outcome.FAILED;
      case LoadServer.GONE -> OpenLoop.Outcome.GIVEN_UP;
      default -> throw new IOException("status " + response.statusCode());
    };
  }

  @Override
  public void close() {
    http.shutdownNow();
    threads.shutdownNow();
  }
}
