// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.NativeTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Starts the write-back of a file while it is being written, so that its sync has little left to
 * do. It makes nothing durable. For one thread.
 */
final class WriteBack implements Closeable {

  /*
   * By default, Linux keeps dirty pages for half a minute, or until they fill a tenth of the
   * memory, and the sync of a commit waits for all of them. Files that are merged soon are shorter
   * than a piece and get no early write-back.
   */

  /** Does nothing, for any number of files. */
  static final WriteBack NONE = new WriteBack(null);

  private static final long PIECE_BYTES = 16L << 20;

  private final @Nullable NativeTarget target;

  /** Negative until the first piece. */
  private int descriptor = -1;

  private long written;
  private long begun;

  private WriteBack(@Nullable NativeTarget target) {
    this.target = target;
  }

  /** For a newly created file. */
  static WriteBack of(Path path) {
    return NativeTarget.of(path).map(WriteBack::new).orElse(NONE);
  }

  /** Call after {@code bytes} more have been written at the end of the file. */
  void wrote(long bytes) {
    if (target == null) {
      return;
    }
    written += bytes;
    if (written - begun >= PIECE_BYTES) {
      try {
        if (descriptor < 0) {
          descriptor = target.calls().openForRead(target.path());
        }
        target.calls().beginWriteBack(descriptor, begun, written - begun);
      } catch (IOException _) {
        // The sync then does all the work.
      }
      begun = written;
    }
  }

  @Override
  public void close() {
    if (descriptor >= 0 && target != null) {
      target.calls().close(descriptor);
      descriptor = -1;
    }
  }
}
