package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.NativeTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Has a growing file written back to its device while it is written, so that its sync finds little
 * to do. It makes nothing durable. For one thread.
 */
final class WriteBack implements Closeable {

  /*
   * Left to itself, Linux keeps what was written for half a minute, or until it fills a tenth of the
   * memory, and the sync of a commit waits for all of it. Files that a merge takes in soon are
   * shorter than a piece: they are left alone.
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

  /** For a file that has just been made. */
  static WriteBack of(Path path) {
    return NativeTarget.of(path).map(WriteBack::new).orElse(NONE);
  }

  /** So many bytes more were written, at the end of the file. */
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
        // The sync has all to do then.
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
