package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WakeUpTest {
  @Test
  void everyWakeUpIsTimedAnew() throws InterruptedException {
    try (WakeUp wakeUp = WakeUp.start()) {
      for (int i = 0; i < 1000; i++) {
        long start = System.nanoTime();
        long nanos = wakeUp.nanos();
        long passed = System.nanoTime() - start;
        assertTrue(nanos > 0 && nanos < passed, "turn " + i + ": " + nanos + " of " + passed);
      }
    }
  }

  @Test
  void closingEndsTheThread() throws InterruptedException {
    WakeUp.start().close();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (isThere()) {
      assertTrue(System.nanoTime() < deadline, "the thread is still there");
      Thread.sleep(1);
    }
  }

  private static boolean isThere() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("wake-up"));
  }
}
