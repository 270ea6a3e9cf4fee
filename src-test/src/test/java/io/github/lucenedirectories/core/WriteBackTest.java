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

/** What writing a long file asks of the system, as {@code strace} sees it. */
public class WriteBackTest extends LuceneTestCase {

  private static final String CALL = "sync_file_range(";
  private static final int MEBIBYTES = 50;

  /**
   * Each 16 MiB begin their way to the device while the file is written; those of temporary files
   * never.
   */
  public void testLongFilesBeginTheirWayEarly() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = FilterPath.unwrap(createTempDir());
    assumeTrue("no strace here", SystemCallTrace.works(folder, "early writing to the device"));
    assertEquals(0, begun(folder, "temporary"));
    assertEquals(MEBIBYTES / 16, begun(folder, "lasting"));
  }

  private static long begun(Path folder, String kind) throws Exception {
    List<String> command =
        JavaCommand.of(
            List.of("--enable-native-access=ALL-UNNAMED"),
            Writer.class,
            folder.resolve(kind).toString(),
            kind);
    return SystemCallTrace.of(folder, command).stream().filter(l -> l.contains(CALL)).count();
  }

  /** Writes a file. Arguments: its path, and "temporary" or "lasting". */
  public static final class Writer {
    private Writer() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[0]);
      try (IndexOutput out =
          args[1].equals("temporary")
              ? FileIndexOutput.createTemporary(path)
              : FileIndexOutput.create(path)) {
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < MEBIBYTES; i++) {
          out.writeBytes(bytes, bytes.length);
        }
      }
    }
  }
}
