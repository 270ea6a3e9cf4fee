// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ExistingIndexTest {
  @TempDir private Path folder;

  @Test
  void indexOfAnotherVersionIsRefused() throws IOException {
    Path old = Files.createDirectory(folder.resolve("old"));
    // Lucene's magic number, the codec's name, and a version of long ago.
    byte[] header = HexFormat.of().parseHex("3fd76c17" + "08" + "7365676d656e7473" + "00000003");
    Files.write(old.resolve("segments_1"), header);
    refused(
        "cannot read the index " + old + ": Format version is not supported",
        () -> ExistingIndex.check(old));
  }

  @Test
  void damagedFileIsNamed() throws IOException {
    Path index = SampleText.index(SampleText.lineFile(folder.resolve("a.tsv"), 50), folder);
    Files.write(index.resolve("_0.cfs"), new byte[0]);
    String refused =
        refused("cannot read the index " + index + ": ", () -> ExistingIndex.check(index));
    assertTrue(refused.contains("_0.cfs"), refused);
  }

  @Test
  void placeThatCannotBeWrittenIsNamed() throws IOException {
    Path partial = Files.createFile(folder.resolve("file")).resolve("partial");
    String refused =
        refused(
            "cannot build the index " + folder.resolve("index-"),
            () -> Preparation.IndexJob.built(folder, new Corpus(List.of(), 1), false, partial));
    assertTrue(refused.contains(partial.toString()), refused);
  }

  private static String refused(String start, Executable executable) {
    String refused = String.valueOf(assertThrows(UsageException.class, executable).getMessage());
    assertTrue(refused.startsWith(start), refused);
    assertEquals(1, refused.lines().count());
    return refused;
  }
}
