package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.Unwrappable;

/** Which files are mapped. */
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
}
