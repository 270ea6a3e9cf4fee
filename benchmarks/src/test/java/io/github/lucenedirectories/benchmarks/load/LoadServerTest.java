// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client and server together, and what they say to others. */
class LoadServerTest {
  private static final double RATE = 600;
  private static final double SECONDS = 4;
  private static final double STOP_SECONDS = 1;
  private static final double NANOS = 1e9;

  /** Answers at once, unless it is stopped. The last query fails. */
  private static final class EchoService {
    static final int THREADS = 2;
    static final int QUERIES = 9;
    static final int FAILING = 9;

    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger marks = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();

    /* To hold all of its permits stops the server. */
    final Semaphore going = new Semaphore(THREADS, true);

    LoadServer.Session begin() {
      open.incrementAndGet();
      return new LoadServer.Session() {
        @Override
        public void answer(int query) throws IOException {
          requests.incrementAndGet();
          going.acquireUninterruptibly();
          going.release();
          if (query == FAILING) {
            throw new IOException("this query fails");
          }
        }

        @Override
        public void mark() {
          marks.incrementAndGet();
        }

        @Override
        public String finish() {
          return "seen " + requests + " marks " + marks;
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }
  }

  private final EchoService echo = new EchoService();
  private LoadServer server;

  @BeforeEach
  void listen() throws IOException {
    server = new LoadServer(loopback(0), EchoService.THREADS, "echo \u00e9", echo::begin);
  }

  @AfterEach
  void end() throws IOException {
    echo.going.release(EchoService.THREADS);
    server.close();
    assertEquals(0, echo.open.get(), "sessions left open");
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private LoadClient client() throws IOException {
    return new LoadClient(loopback(server.port()));
  }

  @Test
  void requestsAreSentAnsweredAndCounted() throws IOException {
    for (int i = 1; i <= 2; i++) {
      try (LoadClient client = client()) {
        assertEquals("echo \u00e9", client.welcome());
        client.begin();
        StepResult result = client.run(new StepClock(200, 0.2, 1, EchoService.QUERIES, 7), 20);
        assertEquals(result.planned(), result.sent());
        assertEquals(result.requests(), result.latency().count());
        assertEquals(0, result.unanswered());
        assertEquals(0, result.failed());
        assertTrue(result.latency().millis("p50") > 0);
        String seen = "seen " + echo.requests + " marks " + 2 * i;
        assertEquals(seen, client.finish(), "one client after another");
        server.awaitFinish();
      }
    }
  }

  @Test
  void failedQueriesAreCounted() throws IOException {
    try (LoadClient client = client()) {
      client.begin();
      StepResult result = client.run(new StepClock(300, 0, 1, EchoService.FAILING + 1, 7), 20);
      assertTrue(result.failed() > 0 && result.failed() < result.requests() / 4);
      assertEquals(0, result.unanswered());
      client.finish();
    }
  }

  /** Both searching threads are busy: what waits in the end is given up, and is not run later. */
  @Test
  void requestsOfAStepThatIsOverAreNotRun() throws Exception {
    echo.going.acquireUninterruptibly(EchoService.THREADS);
    Thread helper = new Thread(this::releaseWhenOver);
    helper.start();
    try (LoadClient client = client()) {
      client.begin();
      StepResult result = client.run(new StepClock(300, 0, 1, EchoService.QUERIES, 7), 0.01);
      assertTrue(result.unanswered() > result.requests() / 2, result.toString());
      assertTrue(echo.requests.get() < result.planned() / 2, "requests " + echo.requests);
      assertTrue(!result.holds(100));
      client.finish();
    }
    helper.join();
  }

  /** The client waits for the end of the queries that run: its second mark has come by then. */
  private void releaseWhenOver() {
    while (echo.marks.get() < 2) {
      Thread.onSpinWait();
    }
    echo.going.release(EchoService.THREADS);
  }

  @Test
  void secondClientIsRefused() throws IOException {
    try (LoadClient first = client();
        LoadClient second = client()) {
      first.begin();
      RunFailedException refused = assertThrows(RunFailedException.class, second::begin);
      assertTrue(
          String.valueOf(refused.getMessage()).endsWith("refused: another client is connected"),
          refused.toString());
      first.finish();
      second.begin();
      second.finish();
    }
  }

  private static String refusal(int port) {
    return String.valueOf(
        assertThrows(UsageException.class, () -> new LoadClient(loopback(port))).getMessage());
  }

  @Test
  void otherServersAndNoServerAreRefused() throws IOException {
    HttpServer other = HttpServer.create(loopback(0), 0);
    other.start();
    try {
      int port = other.getAddress().getPort();
      assertTrue(refusal(port).startsWith("no load server of this version at "), refusal(port));
    } finally {
      other.stop(0);
    }
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertTrue(refusal(port).endsWith(":" + port + ": it cannot be reached"), refusal(port));
  }

  /**
   * The client keeps its rate while the server stands still, and the time for which it stood still
   * is in the tail.
   */
  @Test
  void theClockDoesNotWaitForTheServer() throws Exception {
    Thread stopper =
        new Thread(
            () -> {
              LockSupport.parkNanos((long) ((SECONDS - STOP_SECONDS) / 2 * NANOS));
              echo.going.acquireUninterruptibly(EchoService.THREADS);
              LockSupport.parkNanos((long) (STOP_SECONDS * NANOS));
              echo.going.release(EchoService.THREADS);
            });
    try (LoadClient client = client()) {
      client.begin();
      client.run(new StepClock(RATE, 0, 2, EchoService.QUERIES, 1), 10);
      stopper.start();
      StepResult result = client.run(new StepClock(RATE, 0, SECONDS, EchoService.QUERIES, 2), 30);
      assertEquals(result.planned(), result.sent(), result.planned() * 0.01, "sent by the end");
      assertEquals(0, result.unanswered());
      // Had the client waited for the server, the requests of that second would have been late.
      Histogram late = Recorded.decode(result.late().histogram());
      double share = STOP_SECONDS / SECONDS * 100;
      double lateSeconds = late.getValueAtPercentile(100 - share / 6) / NANOS;
      assertTrue(lateSeconds < STOP_SECONDS / 4, "late by " + lateSeconds + " s");
      // Those that were due while it stood still waited for half of that time on average.
      Histogram latency = Recorded.decode(result.latency().histogram());
      assertEquals(STOP_SECONDS, latency.getMaxValue() / NANOS, STOP_SECONDS * 0.5);
      double half = latency.getValueAtPercentile(100 - share / 2) / NANOS;
      assertEquals(STOP_SECONDS / 2, half, STOP_SECONDS * 0.3);
      client.finish();
    }
    stopper.join();
  }
}
