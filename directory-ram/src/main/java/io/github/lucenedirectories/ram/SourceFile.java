// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.store.FileNames;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A file of any directory; several threads may read it concurrently.
 *
 * @param file is read in place of the directory, straight into the target; null if the directory
 *     may store other bytes than it reads, such as encrypted ones
 */
record SourceFile(Directory directory, String name, @Nullable PositionalFile file)
    implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;

  static SourceFile open(Directory directory, String name) throws IOException {
    PositionalFile file =
        directory instanceof FSDirectory files && keepsBytesAsTheyAre(files)
            ? PositionalFile.open(files.getDirectory().resolve(FileNames.check(name)))
            : null;
    return new SourceFile(directory, name, file);
  }

  private static boolean keepsBytesAsTheyAre(FSDirectory directory) {
    return directory instanceof FileDirectory
        || directory.getClass() == MMapDirectory.class
        || directory.getClass() == NIOFSDirectory.class;
  }

  /** Fills the target with bytes. */
  void read(long pos, MemorySegment target) throws IOException {
    if (file != null) {
      file.read(pos, target);
      return;
    }
    byte[] buffer = new byte[BUFFER_BYTES];
    try (IndexInput input = directory.openInput(name, IOContext.READONCE)) {
      input.seek(pos);
      for (long done = 0; done < target.byteSize(); ) {
        int n = (int) Math.min(buffer.length, target.byteSize() - done);
        input.readBytes(buffer, 0, n);
        MemorySegment.copy(buffer, 0, target, ValueLayout.JAVA_BYTE, done, n);
        done += n;
      }
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(file);
  }
}
