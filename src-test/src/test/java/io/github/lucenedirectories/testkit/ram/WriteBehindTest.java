package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** Files whose writing in the background waits while something happens to them. */
public class WriteBehindTest extends LibraryTestCase {

  private final byte[] first = {1, 2, 3};
  private final byte[] second = {4, 5, 6, 7};

  /** Nothing but the file named "slow" is written before this is opened. */
  private final CountDownLatch gate = new CountDownLatch(1);

  private Directory slow(Directory backing) {
    return new FilterDirectory(backing) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        if (name.equals("slow")) {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        return in.createOutput(name, context);
      }
    };
  }

  public void testRenamedWhileItWaits() throws IOException {
    try (Directory backing = new ByteBuffersDirectory();
        Directory directory = Backed.WRITE_BEHIND.open(slow(backing))) {
      write(directory, "slow", first);
      write(directory, "a", first);
      directory.rename("a", "b");
      write(directory, "a", second);
      gate.countDown();
      directory.sync(List.of("slow", "a", "b"));
      assertArrayEquals(first, read(backing, "b"));
      assertArrayEquals(second, read(backing, "a"));
    }
  }

  public void testDeletedWhileItWaits() throws IOException {
    try (Directory backing = new ByteBuffersDirectory();
        Directory directory = Backed.WRITE_BEHIND.open(slow(backing))) {
      write(directory, "slow", first);
      write(directory, "a", first);
      directory.deleteFile("a");
      write(directory, "b", second);
      gate.countDown();
      directory.sync(List.of("slow", "b"));
      assertFalse(names(backing).contains("a"));
      assertArrayEquals(second, read(backing, "b"));
    }
  }
}
