// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.store.BlockIndexOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.store.IndexOutput;

/**
 * Writes a new file of a file system sequentially. The write-back of a long file starts before the
 * file is complete.
 */
public final class FileIndexOutput extends BlockIndexOutput {

  /** Bytes per write, as in Lucene: the JDK keeps so much native memory for each writing thread. */
  private static final int WRITE_BYTES = 1 << 13;

  // A stream, not a FileChannel: an interrupt of the writing thread would close the channel.
  private final OutputStream out;

  private final WriteBack writeBack;

  FileIndexOutput(Path path, OutputStream out, WriteBack writeBack) {
    super("FileIndexOutput(path=\"" + path + "\")", path.getFileName().toString());
    this.out = out;
    this.writeBack = writeBack;
  }

  /**
   * Creates the file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  public static IndexOutput create(Path path) throws IOException {
    return new FileIndexOutput(path, newFile(path), WriteBack.of(path));
  }

  /** As {@link #create}, but leaves the write-back to the system until the file is synced. */
  public static IndexOutput createWithoutWriteBack(Path path) throws IOException {
    return new FileIndexOutput(path, newFile(path), WriteBack.NONE);
  }

  static OutputStream newFile(Path path) throws IOException {
    return Files.newOutputStream(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  static void write(OutputStream out, byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int n = Math.min(length - done, WRITE_BYTES);
      out.write(bytes, offset + done, n);
      done += n;
    }
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    write(out, bytes, offset, length);
    writeBack.wrote(length);
  }

  @Override
  protected void finish(byte[] bytes, int length) throws IOException {
    try (out;
        writeBack) {
      write(bytes, 0, length);
    }
  }

  @Override
  protected void abandon() throws IOException {
    writeBack.close();
    out.close();
  }
}
