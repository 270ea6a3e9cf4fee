package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;

/** A file that is read in the better of two ways. */
public class HybridIndexInputTest extends LibraryTestCase {

  /** Nothing would close what a clone or a slice opens of a closed input. */
  public void testClosedInputOpensNothing() throws IOException {
    Path folder = createTempDir();
    AtomicBoolean byPositions = new AtomicBoolean();
    AtomicInteger opened = new AtomicInteger();
    try (MappedDirectory mapped = new MappedDirectory(folder)) {
      write(mapped, "file", new byte[10]);
      HybridIndexInput in =
          HybridIndexInput.open(
              FileIdentity.of(folder.resolve("file")),
              FileKind.OTHER,
              IOContext.DEFAULT,
              false,
              (_, _) -> byPositions.get(),
              _ -> {
                opened.incrementAndGet();
                return mapped.openInput("file", IOContext.DEFAULT);
              },
              () -> {});
      byte first = in.clone().readByte();
      assertEquals(0, first);
      in.close();
      byPositions.set(true);
      expectThrows(AlreadyClosedException.class, () -> in.clone().readByte());
      expectThrows(AlreadyClosedException.class, () -> in.slice("slice", 0, 1).readByte());
      assertEquals(1, opened.get());
    }
  }
}
