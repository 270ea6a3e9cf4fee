// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.Unwrappable;

/** Which files are mapped, and how long. */
public class MappedDirectoryTest extends LibraryTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final Class<?> MAPPED = SegmentIndexInput.class;
  private static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);

  /** Stored fields that a merge opens are not, since the kernel could be advised of one use. */
  public void testMerges() throws IOException {
    Path folder = Unwrappable.unwrapAll(createTempDir());
    try (Directory directory = new MappedDirectory(folder)) {
      byte[] bytes = randomBytes(random().nextInt(1, 100_000));
      for (String name : new String[] {"_0.fdt", "_0.tvd", "_0.vec", "_0.doc", "_0_q_1.tmp"}) {
        write(directory, name, bytes);
        boolean stored = name.equals("_0.fdt") || name.equals("_0.tvd");
        requireClass(directory, name, MERGE, stored ? BlockIndexInput.class : MAPPED);
        requireClass(directory, name, IOContext.DEFAULT, MAPPED);
        requireClass(directory, name, RANDOM, MAPPED);
        requireClass(directory, name, IOContext.READONCE, BlockIndexInput.class);
        directory.deleteFile(name);
      }
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
