package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.IOContext;

/** Systems that delete no file that is mapped. */
public class DeletedWhileMappedTest extends LibraryTestCase {

  private static final int ATTEMPTS = 1_000;

  private static Path keptWhileMapped(Path folder) {
    FaultyFileSystem files = FaultyFileSystem.over(folder);
    files.undeletableWhile(() -> LiveResource.MAPPED_BYTES.amount() > 0);
    return files.wrapPath(folder);
  }

  public void testMappedDirectory() throws IOException {
    Path folder = createTempDir();
    check(folder, new MappedDirectory(keptWhileMapped(folder)));
  }

  public void testHybridDirectory() throws IOException {
    Path folder = createTempDir();
    check(folder, new HybridDirectory(keptWhileMapped(folder)));
  }

  /** A file that waits for its mapping to go is gone when the directory is closed. */
  private static void check(Path folder, FileDirectory opened) throws IOException {
    try (FileDirectory directory = opened) {
      for (int i = 0; directory.getPendingDeletions().isEmpty(); i++) {
        assertTrue("each mapping was gone before the deletion", i < ATTEMPTS);
        write(directory, "file", randomBytes(10_000));
        directory.openInput("file", IOContext.DEFAULT).close();
        directory.deleteFile("file");
      }
    }
    assertFalse(Files.exists(folder.resolve("file")));
  }
}
