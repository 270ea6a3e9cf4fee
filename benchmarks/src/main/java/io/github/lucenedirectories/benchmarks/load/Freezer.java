package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Stops a process for a while by signals, as a pause of all its threads that no JVM makes. */
final class Freezer {
  private static final double MILLIS = 1e3;

  private Freezer() {}

  /** Sleeps to the middle of a step that begins now, and then stops the process for a while. */
  static void freeze(long pid, double stepSeconds, double seconds) throws IOException {
    sleep((stepSeconds - seconds) / 2);
    signal("-STOP", pid);
    try {
      sleep(seconds);
    } finally {
      signal("-CONT", pid);
    }
  }

  private static void signal(String signal, long pid) throws IOException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
    try {
      if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new RunFailedException("cannot send the signal " + signal + " to the server");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void sleep(double seconds) throws IOException {
    try {
      Thread.sleep((long) (seconds * MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
