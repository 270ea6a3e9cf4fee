package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOConsumer;

/**
 * Which code really ran: native calls or their fallbacks, chunks or not; and what is said of it.
 */
public class PathTest extends DirectorySuite {

  public PathTest(DirectoryUnderTest subject) {
    super(subject);
  }

  private void expectPaths(IOConsumer<Directory> work) throws IOException {
    TestMode mode = TestMode.current();
    Map<PathCounter, Long> before = counts();
    try (Directory directory = open()) {
      work.accept(directory);
    }
    Map<PathCounter, Long> after = counts();
    for (PathCounter path : subject.capabilities().paths(mode)) {
      assertNotEquals(path + " did not run in mode " + mode, before.get(path), after.get(path));
    }
    for (PathCounter path : subject.capabilities().forbiddenPaths(mode)) {
      assertEquals(path + " ran in mode " + mode, before.get(path), after.get(path));
    }
  }

  private static Map<PathCounter, Long> counts() {
    Map<PathCounter, Long> counts = new EnumMap<>(PathCounter.class);
    for (PathCounter path : PathCounter.values()) {
      counts.put(path, path.count());
    }
    return counts;
  }

  public void testFile() throws IOException {
    expectPaths(
        directory -> {
          byte[] bytes = randomBytes(50_000);
          write(directory, "file", bytes);
          for (IOContext context :
              new IOContext[] {
                IOContext.DEFAULT.withHints(DataAccessHint.RANDOM), IOContext.READONCE
              }) {
            try (IndexInput in = directory.openInput("file", context)) {
              assertArrayEquals(bytes, remaining(in));
            }
          }
        });
  }

  /** A user who wonders why it is slow reads here that native access is denied. */
  public void testToStringSaysWhichWayIsUsed() throws IOException {
    try (Directory directory = open()) {
      assertEquals(
          directory.toString(),
          !TestMode.current().nativeAccess(),
          directory.toString().contains("native access denied"));
    }
  }

  public void testFolderIsMade() throws IOException {
    Path folder = createTempDir().resolve("a").resolve("b");
    try (Directory directory = open(folder)) {
      write(directory, "file", randomBytes(10));
      directory.sync(List.of("file"));
      assertEquals(subject.capabilities().syncsFiles(), Files.exists(folder.resolve("file")));
    }
  }
}
