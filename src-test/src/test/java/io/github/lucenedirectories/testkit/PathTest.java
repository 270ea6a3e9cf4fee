// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Which code really ran: native calls or their fallbacks, chunks or not; and what is said of it.
 */
public class PathTest extends LibrarySuite {

  public PathTest(DirectoryUnderTest subject) {
    super(subject);
  }

  public void testFile() throws IOException {
    TestMode mode = TestMode.current();
    Map<PathCounter, Long> before = counts();
    try (Directory directory = open()) {
      byte[] bytes = randomBytes(50_000);
      write(directory, "file", bytes);
      for (IOContext context :
          List.of(IOContext.DEFAULT.withHints(DataAccessHint.RANDOM), IOContext.READONCE)) {
        try (IndexInput in = directory.openInput("file", context)) {
          assertArrayEquals(bytes, remaining(in));
        }
      }
    }
    Map<PathCounter, Long> after = counts();
    for (PathCounter path : variant.paths(mode)) {
      assertNotEquals(path + " did not run in mode " + mode, before.get(path), after.get(path));
    }
    for (PathCounter path : variant.forbiddenPaths(mode)) {
      assertEquals(path + " ran in mode " + mode, before.get(path), after.get(path));
    }
  }

  private static Map<PathCounter, Long> counts() {
    return Stream.of(PathCounter.values())
        .collect(Collectors.toMap(path -> path, PathCounter::count));
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
      assertEquals(variant.syncsFiles(), Files.exists(folder.resolve("file")));
    }
  }
}
