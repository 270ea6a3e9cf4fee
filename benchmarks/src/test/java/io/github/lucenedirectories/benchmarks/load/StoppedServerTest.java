package io.github.lucenedirectories.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A client keeps its rate while the whole server process is stopped, and the time for which it was
 * stopped is in the tail.
 *
 * <p>{@code -Dload.rate=5000 -Dload.seconds=60 -Dload.stopSeconds=5} is the full size.
 */
@DisabledOnOs(OS.WINDOWS)
class StoppedServerTest {
  private static final double RATE = Double.parseDouble(System.getProperty("load.rate", "600"));
  private static final double SECONDS = Double.parseDouble(System.getProperty("load.seconds", "4"));
  private static final double STOP_SECONDS =
      Double.parseDouble(System.getProperty("load.stopSeconds", "1"));
  private static final double NANOS = 1e9;

  /** A server in a process of its own, which ends when its input does. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws IOException {
      LoadServer server =
          new LoadServer(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2, new EchoService());
      System.out.println(server.port());
      System.in.readAllBytes();
      Runtime.getRuntime().halt(0);
    }
  }

  @Test
  void theClockDoesNotWaitForTheServer() throws Exception {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Echo.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = server.inputReader();
        LoadClient client =
            new LoadClient(
                new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), Integer.parseInt(out.readLine())))) {
      client.begin();
      client.run(new Step(RATE, 0, 2, EchoService.QUERIES, 10, 1));
      StepResult result = stopped(server.pid(), client);
      assertEquals(result.planned(), result.sent(), result.planned() * 0.01, "sent by the end");
      assertTrue(
          result.heldBack() > RATE * STOP_SECONDS / 3,
          "all connections were busy for a while: heldBack=" + result.heldBack());
      assertEquals(0, result.unanswered());
      // Had the client waited for the server, the requests of that second would have been late.
      Histogram late = EncodedHistogram.decode(result.late().histogram());
      double share = STOP_SECONDS / SECONDS * 100;
      double lateSeconds = late.getValueAtPercentile(100 - share / 6) / NANOS;
      assertTrue(lateSeconds < STOP_SECONDS / 4, "late by " + lateSeconds + " s");
      // Those that were due while it was stopped waited for half of that time on average.
      Histogram latency = EncodedHistogram.decode(result.latency().histogram());
      assertEquals(STOP_SECONDS, latency.getMaxValue() / NANOS, STOP_SECONDS * 0.5);
      double half = latency.getValueAtPercentile(100 - share / 2) / NANOS;
      assertEquals(STOP_SECONDS / 2, half, STOP_SECONDS * 0.3);
    } finally {
      server.destroyForcibly().onExit().join();
    }
  }

  /** Runs a step in whose middle the server is stopped for a while. */
  private static StepResult stopped(long server, LoadClient client) throws Exception {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread stopper =
        new Thread(
            () -> {
              try {
                Thread.sleep((long) ((SECONDS - STOP_SECONDS) / 2 * 1000));
                signal("-STOP", server);
                Thread.sleep((long) (STOP_SECONDS * 1000));
                signal("-CONT", server);
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

  private static void signal(String signal, long process) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process)).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("kill " + signal);
    }
  }
}
