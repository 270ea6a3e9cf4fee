// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/** Copies files between directories. */
public final class Copying {

  private Copying() {}

  /**
   * Copies a file to a new name. If there is a file {@code dest}, it stays as it is, where the
   * default of {@link Directory#copyFrom} deletes it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file {@code dest}
   */
  public static void copy(Directory from, String src, Directory to, String dest, IOContext context)
      throws IOException {
    IndexOutput created = to.createOutput(dest, context);
    try (IndexOutput out = created;
        IndexInput in = from.openInput(src, IOContext.READONCE)) {
      out.copyBytes(in, in.length());
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(to, dest);
      throw t;
    }
  }
}
