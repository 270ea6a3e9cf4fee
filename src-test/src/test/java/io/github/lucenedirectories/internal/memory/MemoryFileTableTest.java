// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;
import org.junit.After;
import org.junit.Before;

/** Files in memory that are deleted, fail or lose their table while somebody uses them. */
public class MemoryFileTableTest extends LibraryTestCase {

  private static final int LENGTH = 100_000;

  private final Reaper reaper = new Reaper();
  private final byte[] bytes = randomBytes(LENGTH);

  private OffHeapMemory memory;
  private MemoryFileTable files;

  @Before
  public void open() throws IOException {
    memory = OffHeapMemory.open(new MemoryOptions("test", 1L << 20, HugePages.NEVER), reaper);
    files = new MemoryFileTable(memory);
  }

  @After
  public void closeAll() throws IOException {
    IOUtils.close(files, reaper, memory);
  }

  private IndexOutput create(String name) throws IOException {
    return files.create(name, IOContext.DEFAULT);
  }

  private void write(String name) throws IOException {
    try (IndexOutput output = create(name)) {
      output.writeBytes(bytes, LENGTH);
    }
  }

  public void testInputsEndWithTheTable() throws IOException {
    write("file");
    IndexInput input = files.open("file", IOContext.READONCE);
    files.close();
    expectThrows(AlreadyClosedException.class, () -> input.readBytes(new byte[LENGTH], 0, LENGTH));
    input.close();
    expectThrows(AlreadyClosedException.class, () -> create("next"));
    assertEquals(0, files.names().length);
  }

  /** Also that of a file which was deleted meanwhile. */
  public void testOutputsEndWithTheTable() throws IOException {
    IndexOutput kept = create("kept");
    IndexOutput deleted = create("deleted");
    IndexOutput small = create("small");
    files.delete("deleted");
    for (IndexOutput output : List.of(kept, deleted)) {
      output.writeBytes(bytes, LENGTH);
    }
    files.close();
    for (IndexOutput output : List.of(kept, deleted)) {
      expectThrows(AlreadyClosedException.class, () -> output.writeBytes(bytes, LENGTH));
      expectThrows(IOException.class, output::close);
    }
    expectThrows(AlreadyClosedException.class, small::close);
    reaper.drain();
    assertEquals(0, memory.usedBytes());
  }

  public void testDeletedWhileRead() throws IOException {
    for (IOContext context : List.of(IOContext.READONCE, IOContext.DEFAULT)) {
      write("file");
      try (IndexInput input = files.open("file", context)) {
        files.delete("file");
        reaper.drain();
        assertTrue(memory.usedBytes() >= LENGTH);
        assertArrayEquals(bytes, remaining(input));
      }
      reaper.drain();
      assertEquals(0, memory.usedBytes());
    }
  }

  public void testDeletedWhileWritten() throws IOException {
    IndexOutput output = create("file");
    output.writeBytes(bytes, LENGTH);
    assertTrue(files.delete("file"));
    output.close();
    reaper.drain();
    assertEquals(0, memory.usedBytes());
  }

  /** By a thread that had found it before: a copy elsewhere may have replaced it. */
  public void testLengthOfDeletedFile() throws IOException {
    MemoryFile file = new MemoryFile(memory);
    try (IndexOutput output = file.write("file", IOContext.DEFAULT, new TableOwner() {})) {
      output.writeBytes(bytes, LENGTH);
    }
    file.release();
    assertEquals(LENGTH, file.length());
  }

  public void testFailedFileIsAsIfItHadNeverBeen() throws IOException {
    IndexOutput output = create("file");
    expectThrows(
        MemoryLimitException.class,
        () -> {
          for (int i = 0; i < 20; i++) {
            output.writeBytes(bytes, LENGTH);
          }
        });
    assertEquals(0, files.names().length);
    assertFalse(files.contains("file"));
    expectThrows(IOException.class, output::close);
    reaper.drain();
    assertEquals(0, memory.usedBytes());
    write("file");
    assertEquals(LENGTH, files.length("file"));
  }

  public void testRenameToTakenName() throws IOException {
    write("first");
    write("second");
    expectThrows(FileAlreadyExistsException.class, () -> files.rename("first", "second", () -> {}));
    assertArrayEquals(new String[] {"first", "second"}, files.names());
  }

  /** The caller could not make the new name durable. */
  public void testRenameThatIsNotPublished() throws IOException {
    write("first");
    IORunnable failing =
        () -> {
          assertTrue(files.contains("second"));
          throw new IOException("planted");
        };
    expectThrows(IOException.class, () -> files.rename("first", "second", failing));
    assertArrayEquals(new String[] {"first"}, files.names());
    files.rename("first", "second", () -> {});
    assertArrayEquals(new String[] {"second"}, files.names());
  }

  /** Asked for in between, with few bytes since, the checksum counts none of them twice. */
  public void testChecksumAskedForAgain() throws IOException {
    CRC32 expected = new CRC32();
    try (IndexOutput output = create("file")) {
      for (int i = 0; i < 10; i++) {
        int n = random().nextInt(10_000);
        output.writeBytes(bytes, n);
        expected.update(bytes, 0, n);
        assertEquals(expected.getValue(), output.getChecksum());
      }
    }
  }
}
