package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.mockfile.LeakFS;

/** A file that is read through a channel, which an interrupt closes. */
public class ChannelFileTest extends LibraryTestCase {

  private static byte[] read(ChannelFile file) throws IOException {
    byte[] bytes = new byte[(int) file.length()];
    file.read(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** An interrupt in the middle of the read closes the channel. */
  private static byte[] readInterrupted(ChannelFile file, FaultyFileSystem system)
      throws IOException {
    AtomicBoolean first = new AtomicBoolean(true);
    system.beforeTransfer(
        () -> {
          if (first.getAndSet(false)) {
            Thread.currentThread().interrupt();
          }
        });
    try {
      return read(file);
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  /** What is opened again must be the same file, whatever has its name and length by then. */
  public void testReplacedFile() throws IOException {
    Path folder = FilterPath.unwrap(createTempDir());
    LeakFS leaks = new LeakFS(folder.getFileSystem());
    FaultyFileSystem system = FaultyFileSystem.over(leaks.wrapPath(folder));
    Path path = system.wrapPath(leaks.wrapPath(folder)).resolve("file");
    byte[] bytes = randomBytes(1 + random().nextInt(200_000));
    Files.write(path, bytes);
    ChannelFile file = ChannelFile.open(path);
    try {
      assertArrayEquals(bytes, readInterrupted(file, system));
      Path other = Files.write(folder.resolve("other"), new byte[bytes.length]);
      Files.move(other, folder.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(bytes, read(file));
      IOException e = expectThrows(IOException.class, () -> readInterrupted(file, system));
      assertTrue(e.toString(), e.toString().contains("another one has its name"));
    } finally {
      file.close();
      file.close();
    }
    leaks.onClose();
  }
}
