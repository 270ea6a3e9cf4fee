package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
  private static final int BYTES = 3_000_000;
  private static final int NOISE_BYTES = 200_000;

  @Test
  void countsWhatIsReachableAndNothingElse() {
    LiveHeap.now();
    LiveHeap before = LiveHeap.now();
    LiveHeap with = withSoManyBytes();
    LiveHeap after = LiveHeap.now();

    assertNear(BYTES, with.bytes() - before.bytes());
    assertNear(0, after.bytes() - before.bytes());
    LiveHeap.Growth most = with.growthSince(before).getFirst();
    assertEquals("[B", most.className());
    assertTrue(most.bytes() >= BYTES, most.toString());
  }

  private static LiveHeap withSoManyBytes() {
    byte[] kept = new byte[BYTES];
    try {
      return LiveHeap.now();
    } finally {
      Reference.reachabilityFence(kept);
    }
  }

  private static void assertNear(long expected, long actual) {
    assertTrue(
        Math.abs(actual - expected) <= NOISE_BYTES, "expected " + expected + ", was " + actual);
  }
}
