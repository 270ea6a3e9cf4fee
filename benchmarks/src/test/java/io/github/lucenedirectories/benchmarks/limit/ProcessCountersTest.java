package io.github.lucenedirectories.benchmarks.limit;

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
        folder.resolve("stat"), "17 (a) name)) S 1 2 3 4 5 6 70 80 " + faults + " 90 10 11\n");
    Files.writeString(
        folder.resolve("io"), "rchar: 1\nread_bytes: " + bytes + "\nwrite_bytes: 3\n");
    return ProcessCounters.in(folder);
  }

  @Test
  void faultsAndBytesOfAnInterval() throws IOException {
    ProcessCounters before = counters("100", "4096");
    assertEquals(new ProcessCounters(100L, 4096L), before);
    assertEquals(new ProcessCounters(7L, 8192L), counters("107", "12288").since(before));
  }

  @Test
  void whatCannotBeReadIsUnknownAndNotNothing() throws IOException {
    ProcessCounters before = counters("100", "4096");
    ProcessCounters none = ProcessCounters.in(folder.resolve("none"));
    assertEquals(new ProcessCounters(null, null), none);
    assertEquals(new ProcessCounters(null, null), before.since(none));
    assertEquals(new ProcessCounters(null, null), none.since(before));
  }
}
