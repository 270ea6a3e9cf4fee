// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's folder in memory is where the user says, forks are told of it, and it goes. */
class WorkspaceTest {
  @TempDir private Path place;

  @Test
  void memoryIsWhereTheUserSays() throws IOException {
    Path memory;
    try (Workspace workspace = Workspace.create(place)) {
      memory = workspace.memory();
      assertEquals(place, memory.getParent());
      List<String> command = JvmFlags.forIndex(0).command(workspace, false, List.of("Main"));
      assertTrue(command.contains("-Dlucene-directories.memory=" + memory), command.toString());
      Files.createDirectories(memory.resolve("of-a-fork"));
    }
    assertFalse(Files.exists(memory));
    assertTrue(Files.exists(place));
  }
}
