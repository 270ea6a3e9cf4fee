// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceRatesTest {
  private static final int BYTES = 100_000;
  private static final String RATES =
      "[\\d,]+/s with 1, [\\d,]+/s with 8, [\\d,]+/s with 32 threads";

  @TempDir private Path folder;

  @Test
  void readsTheLargestFileOrSaysWhyNot() throws IOException {
    Files.write(folder.resolve("large"), new byte[BYTES]);
    Files.createFile(folder.resolve("empty"));
    String said = DeviceRates.measure(folder, true);
    assertTrue(said.matches(RATES) || said.startsWith("unknown (java"), said);
    try {
      assertTrue(DeviceRates.readsPerSecond(folder.resolve("large"), 2, 0.1) > 1);
      assertEquals(BYTES, Files.size(folder.resolve("large")));
    } catch (IOException | UnsupportedOperationException e) {
      assertTrue(said.startsWith("unknown"), said);
    }
  }
}
