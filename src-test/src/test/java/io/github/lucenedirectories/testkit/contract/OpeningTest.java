package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;

/** What an opened directory says of itself, its lock and its folder. */
public class OpeningTest extends DirectorySuite {

  public OpeningTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
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

  public void testLock() throws IOException {
    try (Directory directory = open()) {
      try (Lock lock = directory.obtainLock("write.lock")) {
        lock.ensureValid();
        expectThrows(LockObtainFailedException.class, () -> directory.obtainLock("write.lock"));
      }
      directory.obtainLock("write.lock").close();
    }
  }

  public void testFolderIsMade() throws IOException {
    Path folder = createTempDir().resolve("a").resolve("b");
    try (Directory directory = open(folder)) {
      write(directory, "file", randomBytes(10));
      directory.sync(List.of("file"));
      assertEquals(subject.capabilities().syncsFiles(), Files.exists(folder.resolve("file")));
      assertEquals(Set.of(), directory.getPendingDeletions());
    }
  }
}
