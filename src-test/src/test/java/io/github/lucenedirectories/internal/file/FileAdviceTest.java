// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.SystemCallTrace;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.mockfile.FilterPath;

/** What the kernel is told of a file while it is written and read, as {@code strace} sees it. */
public class FileAdviceTest extends LibraryTestCase {

  private static final int MEBIBYTES = 50;
  private static final int PAGE_BYTES = 4_096;
  private static final long SCANNED_BYTES = 500_000;
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

  /** The merge reads the vectors again at once: they stay in the page cache. */
  public void testVectorsOfMergeStayInTheCache() throws Exception {
    for (long direct : new long[] {1, FileDirectory.NO_MERGE_BYTES}) {
      for (String name : List.of("_0.vec", "_0_Lucene104_0.veq")) {
        assertEquals(List.of(), callsOfMerge(name, direct));
      }
    }
    assertFalse(callsOfMerge("_0.doc", 1).isEmpty());
    assertFalse(callsOfMerge("_0.doc", FileDirectory.NO_MERGE_BYTES).isEmpty());
  }

  private List<String> callsOfMerge(String name, long directBytes) throws Exception {
    return calls("", "merge", name, "" + directBytes).stream()
        .filter(line -> line.contains("sync_file_range(") || line.contains("O_DIRECT|"))
        .toList();
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

  /** The kernel loads nothing of a long file unasked; a short one is asked for as a whole. */
  public void testReadAhead() throws Exception {
    String first = calls("POSIX_FADV_", "scan").getFirst();
    assertTrue(first, first.contains(", 0, 0, POSIX_FADV_RANDOM"));
    List<String> advice = calls("POSIX_FADV_", "short");
    assertEquals(advice.toString(), 2, advice.size());
    assertTrue(advice.toString(), advice.getFirst().contains(", 0, 131072, POSIX_FADV_WILLNEED"));
    assertTrue(advice.toString(), advice.getLast().contains(", 131072, 68928, POSIX_FADV_WILLN"));
  }

  private List<String> calls(String name, String... what) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(folder.resolve("file").toString()));
    arguments.addAll(List.of(what));
    Files.deleteIfExists(folder.resolve("file"));
    List<String> command =
        JavaCommand.of(List.of(), Program.class, arguments.toArray(String[]::new));
    return SystemCallTrace.of(folder, command).stream()
        .filter(line -> line.contains(name))
        .toList();
  }

  /**
   * Arguments: the path of a new file, and what to do: write "temporary", write "lasting", "merge"
   * a file of a name where merges of so many bytes are written directly, "read", "scan" it, or scan
   * a "short" one.
   */
  public static final class Program {
    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[0]);
      switch (args[1]) {
        case "temporary" -> write(FileIndexOutput.createWithoutWriteBack(path));
        case "lasting" -> write(FileIndexOutput.create(path));
        case "merge" -> {
          Path file = path.resolveSibling(args[2]);
          IOContext merge = IOContext.merge(new MergeInfo(1, LENGTH, false, 1));
          write(FileDirectory.create(file, merge, Long.parseLong(args[3])));
          Files.delete(file);
        }
        case "read" -> {
          write(FileIndexOutput.create(path));
          prefetch(path);
        }
        case "scan" -> {
          write(FileIndexOutput.create(path));
          scan(path, SCANNED_BYTES);
        }
        default -> {
          Files.write(path, new byte[200_000]);
          scan(path, 200_000);
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

    private static void scan(Path path, long until) throws IOException {
      try (IndexInput file = BlockIndexInput.open(path, null, IOContext.DEFAULT)) {
        byte[] bytes = new byte[100];
        while (file.getFilePointer() < until) {
          file.readBytes(bytes, 0, bytes.length);
        }
      }
    }

    private static void prefetch(Path path) throws IOException {
      try (PositionalFile file = PositionalFile.open(path)) {
        file.prefetch(FileKind.OTHER, 5 * PAGE_BYTES, 1);
        file.prefetch(FileKind.OTHER, 10 * PAGE_BYTES, 3 * PAGE_BYTES);
        file.prefetch(FileKind.OTHER, 16 * PAGE_BYTES + 99, 1);
        file.prefetch(FileKind.OTHER, LENGTH - 1, 1);
      }
    }
  }
}
