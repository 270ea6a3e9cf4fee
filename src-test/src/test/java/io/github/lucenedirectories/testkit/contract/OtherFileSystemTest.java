package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Files on a file system that the kernel knows nothing of: inside a zip file. */
@LuceneTestCase.SuppressFileSystems("*") // a zip file is opened from the default file system
public class OtherFileSystemTest extends DirectorySuite {

  public OtherFileSystemTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().keepsFiles());
  }

  public void testFilesInZip() throws IOException {
    Path zip = createTempDir().resolve("index.zip");
    byte[] bytes = randomBytes(40_000);
    long nativeFiles = PathCounter.NATIVE_READ_FILE.count();
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"));
        Directory directory = open(files.getPath("/index"))) {
      write(directory, "file", bytes);
      write(directory, "empty", new byte[0]);
      write(directory, "deleted", randomBytes(10));
      directory.deleteFile("deleted");
      assertEquals(List.of("empty", "file"), names(directory));
      assertEquals(bytes.length, directory.fileLength("file"));
      for (IOContext context : List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext())) {
        try (IndexInput in = directory.openInput("file", context)) {
          for (InputView view : InputView.of(in, bytes, 7)) {
            assertArrayEquals(view.toString(), view.bytes(), remaining(view.in()));
          }
        }
      }
      assertEquals(0, read(directory, "empty").length);
    }
    assertEquals(nativeFiles, PathCounter.NATIVE_READ_FILE.count());
  }
}
