package io.github.lucenedirectories.internal.store;

import io.github.lucenedirectories.internal.file.FileIndexOutput;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Outputs whose writes fail, and what outputs and reads hold and say in the end. */
@LuceneTestCase.SuppressFileSystems("*") // what is written back natively must be a real file
public class BlockIndexOutputTest extends LibraryTestCase {

  /** Its first write fails. */
  private static final class FailingOnce extends BlockIndexOutput {
    private int writes;
    private int finished;
    private int abandoned;

    FailingOnce() {
      super("FailingOnce", "file");
    }

    @Override
    protected void write(byte[] bytes, int offset, int length) throws IOException {
      if (writes++ == 0) {
        throw new IOException("no space left");
      }
    }

    @Override
    protected void finish(byte[] bytes, int length) {
      finished++;
    }

    @Override
    protected void abandon() {
      abandoned++;
    }
  }

  public void testFileThatLacksBytesIsNeverComplete() throws IOException {
    FailingOnce out = new FailingOnce();
    byte[] bytes = new byte[50_000];
    for (int i = 0; i < 2; i++) {
      expectThrows(IOException.class, () -> out.writeBytes(bytes, bytes.length));
    }
    expectThrows(IOException.class, out::close);
    out.close();
    assertEquals(List.of(1, 0, 1), List.of(out.writes, out.finished, out.abandoned));
  }

  public void testNegativeCopy() throws IOException {
    try (FailingOnce out = new FailingOnce()) {
      ByteArrayDataInput in = new ByteArrayDataInput(new byte[0]);
      expectThrows(IllegalArgumentException.class, () -> out.copyBytes(in, -1));
    }
  }

  public void testDescriptorThatWritesBackIsClosed() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue("no " + descriptors, Files.isDirectory(descriptors));
    Path file = createTempDir().toRealPath().resolve("file");
    try (IndexOutput out = FileIndexOutput.create(file)) {
      byte[] bytes = new byte[17 << 20];
      out.writeBytes(bytes, bytes.length);
      out.writeBytes(bytes, bytes.length);
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      for (Path descriptor : open.toList()) {
        try {
          assertNotEquals(file, Files.readSymbolicLink(descriptor));
        } catch (NoSuchFileException e) {
          assertNotNull("closed meanwhile", e.getFile());
        }
      }
    }
  }
}
