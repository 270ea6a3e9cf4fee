// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.Unwrappable;

/** Which files are mapped, and how long. */
public class MappedDirectoryTest extends LibraryTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  /** Stored fields that a merge opens are not, since the kernel could be advised of one use. */
  public void testMerges() throws IOException {
    Path folder = Unwrappable.unwrapAll(createTempDir());
    try (Directory directory = new MappedDirectory(folder)) {
      byte[] bytes = randomBytes(random().nextInt(1, 100_000));
      write(directory, "_0.fdt", bytes);
      requireClass(directory, "_0.fdt", MERGE, BlockIndexInput.class);
      requireClass(directory, "_0.fdt", IOContext.DEFAULT, SegmentIndexInput.class);
      requireClass(directory, "_0.fdt", IOContext.READONCE, BlockIndexInput.class);
    }
  }

  private static void requireClass(
      Directory directory, String name, IOContext context, Class<?> expected) throws IOException {
    try (IndexInput in = directory.openInput(name, context)) {
      assertSame(name + " " + context, expected, in.getClass());
    }
  }

  private static Path keptWhileMapped(Path folder) {
    FaultyFileSystem files = FaultyFileSystem.over(folder);
    files.keepsFiles = () -> LiveResource.MAPPED_BYTES.amount() > 0;
    return files.wrapPath(folder);
  }

  /** A sparse file whose positions are no ints. */
  public void testLongFile() throws IOException {
    Path folder = Unwrappable.unwrapAll(createTempDir());
    long length = (9L << 30) + random().nextInt(1 << 20);
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("_0.doc").toFile(), "rw")) {
      file.setLength(length);
    }
    for (int shift : new int[] {27, 30, 31, 32, 36}) {
      try (MappedDirectory directory =
              MappedDirectory.builder(folder).chunkBytes(1L << shift).build();
          IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        for (int i = 0; i < 20; i++) {
          long pos = random().nextLong(length);
          in.seek(pos);
          assertEquals(pos, in.getFilePointer());
          assertEquals(0, in.readByte());
          assertEquals(pos + 1, in.getFilePointer());
        }
        in.seek(length);
        assertEquals(length, in.getFilePointer());
        expectThrows(EOFException.class, in::readByte);
      }
    }
  }

  /**
   * On a system that deletes no file that is mapped, one that waits for its mapping to go is gone
   * when the directory is closed.
   */
  public void testDeletedWhileMapped() throws IOException {
    Path folder = createTempDir();
    requireDeleted(folder, new MappedDirectory(keptWhileMapped(folder)));
    requireDeleted(folder, new HybridDirectory(keptWhileMapped(folder)));
  }

  private static void requireDeleted(Path folder, FileDirectory opened) throws IOException {
    try (FileDirectory directory = opened) {
      for (int i = 0; directory.getPendingDeletions().isEmpty(); i++) {
        assertTrue("each mapping was gone before the deletion", i < 1_000);
        write(directory, "file", randomBytes(10_000));
        directory.openInput("file", IOContext.DEFAULT).close();
        directory.deleteFile("file");
      }
    }
    assertFalse(Files.exists(folder.resolve("file")));
  }
}
