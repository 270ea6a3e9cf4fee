// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page cache of this machine. */
class IndexPagesTest {
  private static final int BYTES = 5_000_000;
  private static final Path TMPFS = Path.of("/dev/shm");

  @TempDir private Path folder;

  @Test
  void writtenAndReadPagesGo() throws IOException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "SKIPPED: needs Linux");
    assumeFalse(
        Files.getFileStore(folder).type().equals("tmpfs"), "SKIPPED: " + folder + " is on tmpfs");
    Path file = Files.write(folder.resolve("a"), new byte[BYTES]);
    Files.write(folder.resolve("empty"), new byte[0]);
    IndexPages pages = new IndexPages(folder);
    assertEquals(BYTES, pages.residentBytes(), "just written");
    pages.drop();
    assertEquals(0, pages.residentBytes());
    Files.readAllBytes(file);
    assertEquals(BYTES, pages.residentBytes(), "just read");
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofConfined()) {
      channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, arena).load();
    }
    pages.drop();
    assertEquals(0, pages.residentBytes());
  }

  @Test
  void pagesThatStayAreAnError() throws IOException {
    assumeTrue(Files.isWritable(TMPFS), "SKIPPED: no tmpfs to write to");
    Path memory = Files.createTempDirectory(TMPFS, "index-pages-");
    try {
      Files.write(memory.resolve("a"), new byte[BYTES]);
      String message =
          String.valueOf(
              assertThrows(RunFailedException.class, () -> new IndexPages(memory).drop())
                  .getMessage());
      assertTrue(message.startsWith("4.8 MiB of the index stay in the page cache"), message);
    } finally {
      IOUtils.rm(memory);
    }
  }
}
