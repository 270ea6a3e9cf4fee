package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  public void testNio() throws Exception {
    check("nio", "3");
  }

  public void testBlockCache() throws Exception {
    check("cache", "3");
  }

  public void testHybrid() throws Exception {
    check("hybrid", "3");
  }

  private static void check(String what, String failing) throws Exception {
    Path folder = createTempDir().toRealPath();
    assumeTrue("no strace here", SystemCallTrace.works(folder, "reads that the device fails"));
    Path index = Files.createDirectory(folder.resolve("index"));
    Path file = index.resolve(FILE);
    List<String> command = JavaCommand.of(List.of(), Program.class, index.toString(), what);
    // Before it is traced: its path decides which calls fail.
    Files.write(file, Program.content());
    List<String> reads = SystemCallTrace.failing(folder, file, failing, command);
    assertTrue(reads.toString(), reads.stream().anyMatch(line -> line.contains("(INJECTED)")));
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
      switch (args[1]) {
        case "nio" -> failsOnce(new NioDirectory(folder), folder);
        case "hybrid" ->
            failsOnce(
                HybridDirectory.builder(folder).read("fdt", AccessMode.POSITIONAL).build(), folder);
        default -> {
          try (BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build()) {
            failsOnce(new BlockCacheDirectory(new NioDirectory(folder), cache), folder);
          }
        }
      }
    }

    private static void failsOnce(Directory opened, Path folder) throws IOException {
      try (Directory directory = opened) {
        requireFailure(directory, folder);
        read(directory);
      }
    }

    private static void requireFailure(Directory directory, Path folder) {
      try {
        read(directory);
      } catch (IOException e) {
        String message = e.toString();
        if (message.contains("Input/output error")
            && message.contains(folder.resolve(FILE).toString())) {
          return;
        }
        throw new AssertionError("not what was expected", e);
      }
      throw new AssertionError("the failed read did not surface");
    }

    private static void read(Directory directory) throws IOException {
      byte[] content = content();
      byte[] read = new byte[BYTES];
      try (IndexInput in = directory.openInput(FILE, IOContext.DEFAULT)) {
        for (int pos = 0; pos < BYTES; ) {
          int n = Math.min(10_000, BYTES - pos);
          in.readBytes(read, pos, n);
          pos += n;
        }
      }
      if (!Arrays.equals(content, read)) {
        throw new AssertionError("not the bytes of the file");
      }
    }
  }
}
