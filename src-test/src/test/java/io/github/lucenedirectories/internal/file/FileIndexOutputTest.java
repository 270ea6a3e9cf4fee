package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/** A file whose writing fails is closed all the same. */
public class FileIndexOutputTest extends LibraryTestCase {

  /** Refuses what would make it longer than its limit. */
  private static final class Limited extends OutputStream {
    private final int limit;
    private int written;
    private int closes;

    Limited(int limit) {
      this.limit = limit;
    }

    @Override
    public void write(int b) {
      written++;
      if (written > limit) {
        throw new IllegalStateException("the test refuses to write");
      }
    }

    @Override
    public void close() {
      closes++;
    }
  }

  public void testFailedWrites() {
    // The write that fails is the last one, or one before it.
    for (int length : new int[] {100, 100_000}) {
      Limited file = new Limited(length / 2);
      FileIndexOutput out = new FileIndexOutput(Path.of("file"), file, WriteBack.NONE);
      expectThrowsAnyOf(
          List.of(IOException.class, IllegalStateException.class),
          () -> {
            try (out) {
              for (int i = 0; i < length; i++) {
                out.writeByte((byte) i);
              }
            }
          });
      assertEquals(1, file.closes);
    }
  }
}
