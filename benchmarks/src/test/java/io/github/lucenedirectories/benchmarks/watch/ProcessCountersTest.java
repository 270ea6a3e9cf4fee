package io.github.lucenedirectories.benchmarks.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCountersTest {
  @TempDir private Path folder;

  private ProcessCounters counters(String faults, String bytes) throws IOException {
    Files.writeString(
        folder.resolve("stat"),
        "17 (a) name)) S 1 2 3 4 5 6 "
            + (1000 + Integer.parseInt(faults))
            + " 80 "
            + faults
            + " 90 10 11\n");
    Files.writeString(
        folder.resolve("io"), "rchar: 1\nread_bytes: " + bytes + "\nwrite_bytes: " + bytes + "0\n");
    return ProcessCounters.in(folder);
  }

  @Test
  void faultsAndBytesOfAnInterval() throws IOException {
    ProcessCounters before = counters("100", "4096");
    assertEquals(new ProcessCounters(1100L, 100L, 4096L, 40960L), before);
    assertEquals(
        new ProcessCounters(7L, 7L, 8192L, 81920L), counters("107", "12288").since(before));
  }

  @Test
  void whatCannotBeReadIsUnknownAndNotNothing() throws IOException {
    ProcessCounters before = counters("100", "4096");
    ProcessCounters none = ProcessCounters.in(folder.resolve("none"));
    assertEquals(new ProcessCounters(null, null, null, null), none);
    assertEquals(new ProcessCounters(null, null, null, null), before.since(none));
    assertEquals(new ProcessCounters(null, null, null, null), none.since(before));
  }
}
