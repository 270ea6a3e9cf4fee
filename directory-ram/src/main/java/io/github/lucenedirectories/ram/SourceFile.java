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

/** A file of any directory; several threads may read it concurrently. */
interface SourceFile extends Closeable {

  /** Fills the target with bytes. */
  void read(long pos, MemorySegment target) throws IOException;

  /**
   * Opens a file. If its directory is known to store bytes unchanged, reads bypass the directory
   * and go straight into the target.
   */
  static SourceFile open(Directory directory, String name) throws IOException {
    if (directory instanceof FSDirectory files && keepsBytesAsTheyAre(files)) {
      PositionalFile file =
          PositionalFile.open(files.getDirectory().resolve(FileNames.check(name)));
      return new SourceFile() {
        @Override
        public void read(long pos, MemorySegment target) throws IOException {
          file.read(pos, target);
        }

        @Override
        public void close() throws IOException {
          file.close();
        }
      };
    }
    return new AnyFile(directory, name);
  }

  /** A subclass may store other bytes in its files, such as encrypted ones. */
  private static boolean keepsBytesAsTheyAre(FSDirectory directory) {
    return directory instanceof FileDirectory
        || directory.getClass() == MMapDirectory.class
        || directory.getClass() == NIOFSDirectory.class;
  }

  /** Reads through inputs of the directory, one for each read. */
  record AnyFile(Directory directory, String name) implements SourceFile {
    private static final int BUFFER_BYTES = 1 << 16;

    @Override
    public void read(long pos, MemorySegment target) throws IOException {
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
    public void close() {}
  }
}
