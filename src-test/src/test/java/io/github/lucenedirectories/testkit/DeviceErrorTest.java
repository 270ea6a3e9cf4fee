// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * A device that fails a read once: whoever reads is told which file it was, nothing is made up, and
 * the next read gets the right bytes. The failure is made by {@code strace}.
 */
@LuceneTestCase.SuppressFileSystems("*") // what is read natively must be a real file
public class DeviceErrorTest extends LibraryTestCase {

  private static final int BYTES = 3 << 20;
  private static final String FILE = "_0.fdt";

  public void testFailedRead() throws Exception {
    Path folder = createTempDir().toRealPath();
    assumeTrue("no strace here", SystemCallTrace.works(folder, "reads that the device fails"));
    // Before it is traced: its path decides which calls fail.
    Path file = Files.write(folder.resolve(FILE), Program.content());
    for (String kind : List.of("nio", "cache", "hybrid")) {
      List<String> command = JavaCommand.of(List.of(), Program.class, folder.toString(), kind);
      List<String> reads = SystemCallTrace.failing(folder, file, command);
      assertTrue(reads.toString(), reads.stream().anyMatch(line -> line.contains("(INJECTED)")));
    }
  }

  /** Arguments: the folder of the file, and how to read it. */
  public static final class Program {
    private Program() {}

    static byte[] content() {
      byte[] content = new byte[BYTES];
      for (int i = 0; i < BYTES; i++) {
        content[i] = (byte) (i * 31 + (i >> 12));
      }
      return content;
    }

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      try (BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build();
          Directory directory =
              switch (args[1]) {
                case "nio" -> new NioDirectory(folder);
                case "cache" -> new BlockCacheDirectory(new NioDirectory(folder), cache);
                default ->
                    HybridDirectory.builder(folder).read("fdt", AccessMode.POSITIONAL).build();
              }) {
        String message = expectThrows(IOException.class, () -> readAll(directory)).toString();
        assertTrue(message, message.contains("Input/output error"));
        assertTrue(message, message.contains(folder.resolve(FILE).toString()));
        assertArrayEquals(content(), readAll(directory));
      }
    }

    private static byte[] readAll(Directory directory) throws IOException {
      byte[] read = new byte[BYTES];
      try (IndexInput in = directory.openInput(FILE, IOContext.DEFAULT)) {
        for (int pos = 0; pos < BYTES; pos += 10_000) {
          in.readBytes(read, pos, Math.min(10_000, BYTES - pos));
        }
      }
      return read;
    }
  }
}
