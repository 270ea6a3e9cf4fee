package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CloseReaderCommandTest {
  @TempDir private Path folder;

  @Test
  void badInputIsRefusedInOneLine() {
    CommandRun.refused("--forks must be at least 1: 0", "close-reader", "--forks", "0");
    CommandRun.refused("--closes must be at least 1: 0", "close-reader", "--closes", "0");
    CommandRun.refused("--warmup must be at least 0: -1", "close-reader", "--warmup", "-1");
    CommandRun.refused("--pause must be at least 0: -1", "close-reader", "--pause", "-1");
    CommandRun.refused("--readers must be at most 1024: 1025", "close-reader", "--readers", "1025");
    CommandRun.refused(
        "unknown directory 'Foo': choose from RamDirectory, MappedDirectory, NioDirectory,"
            + " MMapDirectory, NIOFSDirectory, ByteBuffersDirectory",
        "close-reader",
        "--directories",
        "RamDirectory,Foo");
    CommandRun.refused("Unknown option: '--frobnicate'", "close-reader", "--frobnicate");
  }

  @Test
  void smallRunEndsInTableAndResults() throws IOException {
    CommandRun run =
        CommandRun.of(
            "close-reader",
            "--directories",
            "ramdirectory",
            "--forks",
            "2",
            "--closes",
            "3",
            "--warmup",
            "1",
            "--readers",
            "2",
            "--pause",
            "0",
            "--out",
            folder.toString());
    assertEquals("", run.err());
    assertEquals(0, run.status());
    assertTrue(
        run.out().startsWith("Closes of a reader of 20 segments (compound) with 2 busy readers"),
        run.out());
    assertTrue(run.out().contains("RamDirectory"), run.out());
    Results results = Results.read(folder.resolve("results.json"));
    assertEquals(2 * 6, results.results().size());
    assertEquals(2, results.results().getFirst().samples().size());
    assertEquals(3, results.results().getFirst().repetitions().getLast().size());
    for (String fact : new String[] {"cpu", "kernel", "jdk", "jvmFlags", "seed", "command"}) {
      assertTrue(results.environment().containsKey(fact), fact);
    }
  }
}
