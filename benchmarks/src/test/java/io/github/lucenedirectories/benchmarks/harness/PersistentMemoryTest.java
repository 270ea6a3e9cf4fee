// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports say what was measured in place of persistent memory; another folder is refused. */
class PersistentMemoryTest {
  @TempDir private Path folder;

  private static List<String> notes(String... labelsAndModes) {
    Map<String, String> directories = new TreeMap<>();
    for (int i = 0; i < labelsAndModes.length; i += 2) {
      directories.put(
          labelsAndModes[i], "PmemDirectory(engine=LLPL mode=" + labelsAndModes[i + 1] + " x=1)");
    }
    directories.put("MMapDirectory", "MMapDirectory@/somewhere");
    return PersistentMemory.notes(directories);
  }

  @Test
  void reportsSayWhatWasMeasured() {
    assertEquals(List.of(), notes());
    assertEquals(List.of("On persistent memory: A, B."), notes("B", "PMEM", "A", "PMEM"));
    List<String> emulated = notes("A", "EMULATED");
    assertEquals(2, emulated.size());
    assertTrue(emulated.get(0).startsWith("No persistent memory was measured"));
    assertTrue(emulated.get(1).endsWith("the machine stops: A."), emulated.toString());
    List<String> files =
        PersistentMemory.notes(
            Map.of("A", "MMapDirectory@/dev/shm/a lockFactory=B", "C", "MMapDirectory@/a"));
    assertEquals(2, files.size());
    assertTrue(files.get(1).endsWith("memory (tmpfs): A."), files.toString());
    List<String> both = notes("A", "PMEM", "B", "FILE");
    assertEquals(2, both.size());
    assertTrue(both.get(0).startsWith("On persistent memory") && both.get(1).contains("files: B."));
  }

  @Test
  void anOrdinaryFolderIsNone() throws IOException {
    IOException refused = assertThrows(IOException.class, () -> PersistentMemory.probe(folder));
    assertTrue(PersistentMemory.reason(refused).contains("MAP_SYNC"), refused.toString());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
    Path none = folder.resolve("none");
    assertEquals(
        "no such folder: " + none,
        assertThrows(IOException.class, () -> PersistentMemory.probe(none)).getMessage());
  }
}
