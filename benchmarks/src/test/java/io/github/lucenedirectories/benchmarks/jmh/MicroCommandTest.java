// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicroCommandTest {
  @TempDir private Path out;

  @Test
  void measuresTheDirectoriesThatAreNamed() throws IOException {
    Path file = out.resolve("jmh.csv");
    String arguments =
        "Views.slice$ -p directory=RamDirectory,NioDirectory -p fileBytes=4m -f 1 -wi 0 -i 1 -r"
            + " 100ms -rf csv -rff "
            + file;
    EndedCommand.typed((Object[]) ("micro " + arguments).split(" ", -1)).assertDone();
    List<String> lines = Files.readAllLines(file);
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(
        lines.get(1).matches(".*Reads\\.Views\\.slice\".*\"?RamDirectory\"?,4m.*"), lines.get(1));
    assertTrue(lines.get(2).contains("NioDirectory"), lines.get(2));
  }
}
