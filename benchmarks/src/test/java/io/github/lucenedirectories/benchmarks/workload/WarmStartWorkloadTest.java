// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a user types it, forks and emptied page caches included. */
class WarmStartWorkloadTest {
  @TempDir private Path folder;

  private EndedCommand run(String arguments) {
    return EndedCommand.run("warm-start", folder.resolve("out"), arguments.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--limit much | --limit must be like 700m, 1g, or 50% of the index: 'much'",
        "--directories RamDirectory | --directories must be on files, which alone have a page cache:"
            + " RamDirectory",
        "--read-ahead -1 | --read-ahead must be a number of KiB such as 128, or keep: '-1'",
        "--threads 0 | --threads must be more than 0: 0"
      })
  void inputIsRefusedAtOnce(String arguments, String message) {
    run(arguments).assertRefused(message);
  }

  /** Too short for anything to be as fast as before, so all of the time counts. */
  @Test
  void restartsOfOneDirectory() throws IOException {
    needDisk();
    Set<String> before = EndedCommand.temporaryFiles();
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), 4_000);
    Path index = SampleText.index(lines, folder.resolve("index"));
    Map<String, String> state = SampleText.state(index);
    run("--index "
            + index
            + " --kinds MedTerm,Stored --queries 20 --forks 1 --warmup 0.1"
            + " --seconds 0.3 --limit none --read-ahead keep --directories MMapDirectory")
        .assertDone();
    Results results = Results.read(folder.resolve("out").resolve("results.json"));
    String warm = "MMapDirectory + warm start";
    assertEquals(List.of("MMapDirectory", "MMapDirectory (again)", warm), results.directories());
    for (String column : results.directories()) {
      assertTrue(value(results, column, "until p99") >= 0.3, column + ": the whole time");
      assertTrue(value(results, column, "until rate") >= 0.3, column);
      assertTrue(value(results, column, "open, read") > 0, column + " opened from the device");
      assertTrue(
          value(results, column, "restart, read") >= value(results, column, "open, read"), column);
      assertTrue(value(results, column, "Restart") > 0, column + ": queries a second");
      assertTrue(value(results, column, "warm p99") > 0, column);
      // So short a warm-up may leave much to read, but not exactly as much as a restart.
      assertNotEquals(
          value(results, column, "Restart read"), value(results, column, "warm read"), column);
      assertTrue(results.hints().toString().contains(column + ": until p99 was not reached in 1"));
    }
    assertTrue(value(results, warm, "loaded") > 0);
    assertTrue(results.ratio(warm, "MMapDirectory", "until p99").isPresent());
    assertEquals(state, SampleText.state(index), "the index is as it was");
    assertEquals(before, EndedCommand.temporaryFiles());
  }

  private void needDisk() throws IOException {
    if (Files.getFileStore(folder).type().equals("tmpfs")) {
      abort("SKIPPED: " + folder + " is on tmpfs, whose files are never out of memory");
    }
  }

  private static double value(Results results, String column, String task) {
    return results.result(column, task).orElseThrow().median();
  }
}
