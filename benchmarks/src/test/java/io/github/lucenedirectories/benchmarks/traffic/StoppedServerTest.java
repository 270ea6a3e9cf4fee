package io.github.lucenedirectories.benchmarks.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A client keeps its rate when the whole server process is stopped, and the time for which it was
 * stopped is in the tail.
 *
 * <p>{@code -Dload.rate=5000 -Dload.seconds=60 -Dload.stopSeconds=5} is the full size; the default
 * is a short form of it.
 */
@DisabledOnOs(OS.WINDOWS)
class StoppedServerTest {
  private static final double RATE = Double.parseDouble(System.getProperty("load.rate", "1500"));
  private static final double SECONDS = Double.parseDouble(System.getProperty("load.seconds", "4"));
  private static final double STOP_SECONDS =
      Double.parseDouble(System.getProperty("load.stopSeconds", "1"));
  private static final double NANOS = 1e9;

  @Test
  void theClockDoesNotWaitForTheServer() throws Exception {
    try (EchoProcess server = EchoProcess.start();
        LoadClient client = LoadClient.connect(server.address())) {
      client.welcome();
      client.run(new Step(RATE, 0, 1, EchoService.QUERIES, 10, 1));
      StepResult result = stopped(server, client);
      assertEquals(result.planned(), result.sent(), result.planned() * 0.01, "sent by the end");
      assertTrue(
          result.heldBack() > RATE * STOP_SECONDS / 3,
          "the connection took nothing for a while: heldBack=" + result.heldBack());
      assertEquals(0, result.unanswered());

      // Had the sender waited for the server, those that the system has no room for would be late,
      // half of those that came meanwhile: a third of them by a third of that time and more. Other
      // programs may hold it up for less.
      double share = STOP_SECONDS / SECONDS * 100;
      double lateSeconds = result.lateness().getValueAtPercentile(100 - share / 6) / NANOS;
      assertTrue(lateSeconds < STOP_SECONDS / 4, "late by " + lateSeconds + " s");

      // Those that came while it was stopped waited for half of that time in the mean.
      Histogram latencies = result.latencies();
      assertEquals(STOP_SECONDS, latencies.getMaxValue() / NANOS, STOP_SECONDS * 0.4);
      double half = latencies.getValueAtPercentile(100 - share / 2) / NANOS;
      assertEquals(STOP_SECONDS / 2, half, STOP_SECONDS * 0.3);
    }
  }

  /** Runs a step in whose middle the server is stopped for a while. */
  private static StepResult stopped(EchoProcess server, LoadClient client) throws Exception {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread stopper =
        new Thread(
            () -> {
              try {
                Thread.sleep((long) ((SECONDS - STOP_SECONDS) / 2 * 1000));
                server.signal("-STOP");
                Thread.sleep((long) (STOP_SECONDS * 1000));
                server.signal("-CONT");
              } catch (IOException | InterruptedException e) {
                failure.set(e);
              }
            });
    stopper.start();
    StepResult result = client.run(new Step(RATE, 0, SECONDS, EchoService.QUERIES, 30, 2));
    stopper.join();
    if (failure.get() != null) {
      throw failure.get();
    }
    return result;
  }
}
