package io.github.lucenedirectories.core;

import io.github.lucenedirectories.testkit.SystemCallTrace;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What the kernel is told of a file while it is written and read, as {@code strace} sees it. */
public class FileAdviceTest extends LuceneTestCase {

  private static final int MEBIBYTES = 50;
  private static final int PAGE_BYTES = 4_096;
  private static final long LENGTH = (long) MEBIBYTES << 20;

  private Path folder = Path.of("");

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    folder = FilterPath.unwrap(createTempDir());
    assumeTrue("no strace here", SystemCallTrace.works(folder, "what the kernel is told of files"));
  }

  /** Each 16 MiB begin their way while more is written, but not those of temporary files. */
  public void testLongFilesBeginTheirWayEarly() throws Exception {
    assertEquals(List.of(), calls("sync_file_range(", "temporary"));
    assertEquals(MEBIBYTES / 16, calls("sync_file_range(", "lasting").size());
  }

  /**
   * As many bytes as asked for; for a single one to the end of the next page, where the file has
   * it.
   */
  public void testPrefetch() throws Exception {
    List<String> asked = calls("POSIX_FADV_WILLNEED", "read");
    assertEquals(asked.toString(), 4, asked.size());
    long last = LENGTH - 1;
    for (String range : List.of("20480, 8192", "40960, 12288", "65635, 8093", last + ", 1")) {
      assertTrue(
          asked.toString(), asked.stream().anyMatch(line -> line.contains(", " + range + ", ")));
    }
  }

  private List<String> calls(String name, String what) throws Exception {
    List<String> command =
        JavaCommand.of(
            List.of("--enable-native-access=ALL-UNNAMED"),
            Program.class,
            folder.resolve(what).toString(),
            what);
    return SystemCallTrace.of(folder, command).stream()
        .filter(line -> line.contains(name))
        .toList();
  }

  /**
   * Arguments: the path of a file, and what to do: write "temporary", write "lasting", or "read".
   */
  public static final class Program {
    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[0]);
      switch (args[1]) {
        case "temporary" -> write(FileIndexOutput.createTemporary(path));
        case "lasting" -> write(FileIndexOutput.create(path));
        default -> {
          write(FileIndexOutput.create(path));
          prefetch(path);
        }
      }
    }

    private static void write(IndexOutput file) throws IOException {
      try (IndexOutput out = file) {
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < MEBIBYTES; i++) {
          out.writeBytes(bytes, bytes.length);
        }
      }
    }

    private static void prefetch(Path path) throws IOException {
      try (PositionalFile file = PositionalFile.open(path)) {
        file.prefetch(5 * PAGE_BYTES, 1);
        file.prefetch(10 * PAGE_BYTES, 3 * PAGE_BYTES);
        file.prefetch(16 * PAGE_BYTES + 99, 1);
        file.prefetch(LENGTH - 1, 1);
      }
    }
  }
}
