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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one client of a {@link LoadServer}. It keeps its own clock (an open loop): every request has
 * a virtual thread that starts at the planned moment, whatever the server does, and every latency
 * begins at that moment. If all connections are busy a request waits for one, which is part of its
 * latency. For one thread.
 */
public final class LoadClient implements Closeable {
  /* More would not be answered sooner, and would only fill the server's tables. */
  static final int CONNECTIONS = 128;

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long SUMMARY_SECONDS = 120;
  private static final long LEAD_NANOS = 5_000_000;

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
    clock.start(System.nanoTime() + LEAD_NANOS);
    Requests requests = new Requests(clock, span);
    StepResult result;
    try {
      for (int next = 0; next < clock.size(); next++) {
        int number = next;
        long now = requests.waitUntil(clock.due(number));
        requests.threads.execute(() -> requests.run(number, clock.query(number)));
        clock.sent(number, now);
      }
      requests.waitUntil(clock.end());
      int stuck = requests.waiting.get();
      requests.awaitEnd(patienceSeconds);
      result = clock.result(stuck, System.nanoTime());
    } finally {
      requests.over = true;
    }
    // From now on the server turns away what still waits there.
    control("POST", "mark");
    if (!requests.awaitEnd(SUMMARY_SECONDS)) {
      throw new RunFailedException("the load server at " + address + " does not answer");
    }
    return result;
  }

  private final class Requests {
    private final StepClock clock;
    private final String span;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore connections = new Semaphore(CONNECTIONS, true);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean over;

    Requests(StepClock clock, String span) {
      this.clock = clock;
      this.span = span;
    }

    void run(int number, int query) {
      try {
        if (!connections.tryAcquire()) {
          waiting.incrementAndGet();
          connections.acquireUninterruptibly();
          waiting.decrementAndGet();
        }
        try {
          if (!over) {
            send(number, query);
          }
        } finally {
          connections.release();
        }
      } catch (IOException | RuntimeException e) {
        failure.compareAndSet(null, e);
      }
    }

    private void send(int number, int query) throws IOException {
      HttpResponse<?> response =
          LoadClient.this.send(
              HttpRequest.newBuilder(uri("search/" + span + "/" + query)),
              BodyHandlers.discarding());
      long now = System.nanoTime();
      switch (response.statusCode()) {
        case LoadServer.OK -> clock.answered(number, true, now);
        case LoadServer.FAILED -> clock.answered(number, false, now);
        case LoadServer.GONE -> {
          // Given up.
        }
        default -> throw new IOException("status " + response.statusCode());
      }
    }

    /** Waits, and returns the time then. */
    long waitUntil(long moment) {
      for (long now = System.nanoTime(); ; now = System.nanoTime()) {
        if (moment - now <= 0) {
          return now;
        }
        check();
        LockSupport.parkNanos(this, moment - now);
      }
    }

    private void check() {
      Exception e = failure.get();
      if (e != null) {
        throw new RunFailedException(
            "the connection to the load server at " + address + " broke: " + e, e);
      }
    }

    /** Whether all requests, of which there will be no more, have ended within a time. */
    boolean awaitEnd(double seconds) throws IOException {
      threads.shutdown();
      try {
        return threads.awaitTermination((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } finally {
        check();
      }
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    threads.shutdownNow();
  }
}
