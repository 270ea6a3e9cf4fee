// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicroWorkloadTest {
  @TempDir private Path out;

  private EndedCommand micro(String arguments) {
    return EndedCommand.run("micro", out, arguments.split(" "));
  }

  @Test
  void measuresEveryColumn() throws IOException {
    micro(
            "Views.slice$ OpenAndClose.open$ --forks 1 --warmup 0 --seconds 0.3"
                + " --directories RamDirectory -p fileBytes=4m,8m")
        .assertDone();
    Results results = Results.read(out.resolve(Results.FILE));
    assertEquals(
        List.of("MMapDirectory", "MMapDirectory (again)", "RamDirectory"),
        results.results().stream().map(Results.Result::directory).distinct().toList());
    assertEquals(
        Set.of(
            "OpenAndClose.open",
            "OpenAndClose.open p99",
            "Views.slice fileBytes=4m",
            "Views.slice fileBytes=8m"),
        results.results().stream().map(Results.Result::task).collect(Collectors.toSet()));
    results.results().forEach(r -> assertTrue(r.median() > 0, r::task));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "none | no benchmark's name contains 'none': ./run micro --list names them",
        "( | not a regular expression: '(' (Unclosed group)",
        "Views -p size=4 | no parameter 'size': these benchmarks have [fileBytes]",
        "Views --threads 0 | --threads must be more than 0: 0",
        "Views --directories Foo | unknown directory 'Foo': choose from MMapDirectory, "
      })
  void refuses(String arguments, String message) {
    EndedCommand ended = micro(arguments);
    assertTrue(ended.err().startsWith(message), ended.err());
    assertEquals(2, ended.status());
  }

  @Test
  void saysWhyABenchmarkFailed() {
    EndedCommand ended = micro("Views.slice$ --quick --directories RamDirectory -p fileBytes=1m");
    assertTrue(ended.err().contains("fileBytes must be at least 4m: 1m"), ended.err());
    assertEquals(1, ended.status());
  }

  @Test
  void listsBenchmarksWithParameters() {
    EndedCommand ended = micro("--list OpenAndClose.open$ Views.copy$");
    ended.assertDone();
    assertEquals("Views.copy fileBytes=64m\nOpenAndClose.open", ended.out().strip());
  }
}
