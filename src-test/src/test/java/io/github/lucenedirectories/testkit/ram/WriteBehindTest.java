package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.NothingLeft;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.Rule;

/** Files whose writing in the background waits while something happens to them. */
public class WriteBehindTest extends LuceneTestCase {

  @Rule public final NothingLeft nothingLeft = new NothingLeft();

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
      DirectorySuite.write(directory, "slow", first);
      DirectorySuite.write(directory, "a", first);
      directory.rename("a", "b");
      DirectorySuite.write(directory, "a", second);
      gate.countDown();
      directory.sync(List.of("slow", "a", "b"));
      assertArrayEquals(first, DirectorySuite.read(backing, "b"));
      assertArrayEquals(second, DirectorySuite.read(backing, "a"));
    }
  }

  public void testDeletedWhileItWaits() throws IOException {
    try (Directory backing = new ByteBuffersDirectory();
        Directory directory = Backed.WRITE_BEHIND.open(slow(backing))) {
      DirectorySuite.write(directory, "slow", first);
      DirectorySuite.write(directory, "a", first);
      directory.deleteFile("a");
      DirectorySuite.write(directory, "b", second);
      gate.countDown();
      directory.sync(List.of("slow", "b"));
      assertFalse(DirectorySuite.names(backing).contains("a"));
      assertArrayEquals(second, DirectorySuite.read(backing, "b"));
    }
  }
}
