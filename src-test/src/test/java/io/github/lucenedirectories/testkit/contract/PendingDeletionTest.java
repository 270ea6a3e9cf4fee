package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Files that the file system refuses to delete for now: gone for Lucene, deleted later. */
public class PendingDeletionTest extends DirectorySuite {

  public PendingDeletionTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().keepsFiles());
  }

  private interface Scenario {
    void run(Directory directory, FaultyFileSystem files, Path folder) throws IOException;
  }

  /** Runs with a directory in which "stuck" was deleted and is still there on disk. */
  private void withPendingFile(Scenario scenario) throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      write(directory, "stuck", randomBytes(100));
      write(directory, "other", randomBytes(100));
      files.undeletable().add("stuck");
      directory.deleteFile("stuck");
      assertTrue(Files.exists(real.resolve("stuck")));
      assertEquals(Set.of("stuck"), directory.getPendingDeletions());
      scenario.run(directory, files, real);
    } finally {
      files.undeletable().clear();
    }
  }

  public void testPendingFileIsHidden() throws IOException {
    withPendingFile(
        (directory, files, folder) -> {
          assertEquals(List.of("other"), names(directory));
          missing(() -> directory.fileLength("stuck"));
          missing(() -> directory.openInput("stuck", IOContext.DEFAULT));
          missing(() -> directory.openChecksumInput("stuck"));
          missing(() -> directory.rename("stuck", "elsewhere"));
          missing(() -> directory.copyFrom(directory, "stuck", "copy", IOContext.DEFAULT));
          missing(() -> directory.deleteFile("stuck"));
          assertTrue(Files.exists(folder.resolve("stuck")));
        });
  }

  public void testPendingFileIsDeletedLater() throws IOException {
    withPendingFile(
        (directory, files, folder) -> {
          files.undeletable().clear();
          assertEquals(Set.of(), directory.getPendingDeletions());
          assertFalse(Files.exists(folder.resolve("stuck")));
        });
  }

  public void testPendingFileIsDeletedByLaterWork() throws IOException {
    for (int i = 0; i < 5; i++) {
      int way = i;
      withPendingFile(
          (directory, files, folder) -> {
            files.undeletable().clear();
            switch (way) {
              case 0 -> write(directory, "new", randomBytes(10));
              case 1 -> directory.createTempOutput("a", "b", IOContext.DEFAULT).close();
              case 2 -> directory.sync(List.of("other"));
              case 3 -> directory.syncMetaData();
              default -> directory.rename("other", "elsewhere");
            }
            assertFalse("way " + way, Files.exists(folder.resolve("stuck")));
          });
    }
  }

  public void testPendingFileIsDeletedByClose() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      write(directory, "stuck", randomBytes(100));
      files.undeletable().add("stuck");
      directory.deleteFile("stuck");
      files.undeletable().clear();
    }
    assertFalse(Files.exists(real.resolve("stuck")));
  }

  public void testNameThatIsStillPending() throws IOException {
    withPendingFile(
        (directory, files, folder) -> {
          expectThrows(
              FileAlreadyExistsException.class,
              () -> directory.createOutput("stuck", IOContext.DEFAULT).close());
          assertTrue(Files.exists(folder.resolve("stuck")));
        });
  }

  /** A name comes back to life, and the old deletion does not hit its new file. */
  public void testNameIsUsedAgain() throws IOException {
    withPendingFile(
        (directory, files, folder) -> {
          files.undeletable().clear();
          byte[] bytes = randomBytes(500);
          write(directory, "stuck", bytes);
          assertEquals(Set.of(), directory.getPendingDeletions());
          write(directory, "more", randomBytes(10));
          directory.sync(List.of("stuck", "more"));
          directory.syncMetaData();
          assertEquals(List.of("more", "other", "stuck"), names(directory));
          assertArrayEquals(bytes, read(directory, "stuck"));
        });
  }

  public void testRenameToPendingName() throws IOException {
    withPendingFile(
        (directory, files, folder) -> {
          files.undeletable().clear();
          byte[] bytes = read(directory, "other");
          directory.rename("other", "stuck");
          assertEquals(Set.of(), directory.getPendingDeletions());
          directory.sync(List.of("stuck"));
          assertEquals(List.of("stuck"), names(directory));
          assertArrayEquals(bytes, read(directory, "stuck"));
        });
  }

  public void testTemporaryNamesAvoidPendingOnes() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      Set<String> pending = new HashSet<>();
      for (int i = 0; i < 5; i++) {
        try (IndexOutput out = directory.createTempOutput("_0", "sort", IOContext.DEFAULT)) {
          files.undeletable().add(out.getName());
          pending.add(out.getName());
        }
      }
      for (String name : pending) {
        directory.deleteFile(name);
      }
      assertEquals(pending, directory.getPendingDeletions());
      // A directory opened anew over the same folder begins to count again.
      try (Directory second = open(files.wrapPath(real))) {
        for (Directory each : List.of(directory, second)) {
          for (int i = 0; i < 5; i++) {
            IndexOutput out = each.createTempOutput("_0", "sort", IOContext.DEFAULT);
            assertTrue(out.getName(), pending.add(out.getName()));
            out.close();
          }
        }
      }
      files.undeletable().clear();
    }
  }

  /** As on a system that refuses to delete an open file. */
  public void testOpenFileThatCannotBeDeleted() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    byte[] bytes = randomBytes(20_000);
    try (Directory directory = open(files.wrapPath(real))) {
      write(directory, "stuck", bytes);
      try (IndexInput in = directory.openInput("stuck", IOContext.DEFAULT)) {
        files.undeletable().add("stuck");
        directory.deleteFile("stuck");
        assertEquals(List.of(), names(directory));
        assertArrayEquals(bytes, remaining(in));
      }
      files.undeletable().clear();
      assertEquals(Set.of(), directory.getPendingDeletions());
      assertFalse(Files.exists(real.resolve("stuck")));
    }
  }

  private static void missing(ThrowingRunnable action) {
    expectThrowsAnyOf(List.of(NoSuchFileException.class, FileNotFoundException.class), action);
  }
}
