// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/** A {@link PositionalFile} over a {@link FileChannel}, for any platform and file system. */
final class ChannelFile implements PositionalFile {

  /*
   * An interrupt closes a FileChannel for all its readers. Each reader that notices reads again
   * from a new channel, which the first of them opens. If the file has lost its name by then,
   * reading fails: that is the price of this fallback.
   */

  /** Bytes per read: the JDK keeps as much native memory for each reading thread. */
  private static final int READ_BYTES = 1 << 13;

  private final Path path;
  private final long length;
  private final Identity identity;

  /** Null after an interrupt closed it, until the next read. */
  private @Nullable FileChannel channel;

  private boolean closed;

  private ChannelFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.length = channel.size();
    this.identity = Identity.of(path);
  }

  /** Distinguishes a file from another one of the same name; the key is null on some platforms. */
  private record Identity(@Nullable Object key, long length, FileTime modified) {
    static Identity of(Path path) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return new Identity(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
    }
  }

  static ChannelFile open(Path path) throws IOException {
    ChannelFile file =
        Uninterruptibles.call(
            () -> {
              FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
              try {
                return new ChannelFile(path, channel);
              } catch (IOException e) {
                channel.close();
                throw e;
              }
            });
    PathCounter.CHANNEL_READ_FILE.increment();
    LiveResource.DESCRIPTORS.add(1);
    return file;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long pos, byte[] target, int offset, int length) throws IOException {
    int[] done = {0};
    try {
      Uninterruptibles.call(
          () -> {
            while (done[0] < length) {
              int n = Math.min(length - done[0], READ_BYTES);
              done[0] += readOnce(pos + done[0], ByteBuffer.wrap(target, offset + done[0], n));
            }
            return done;
          });
    } catch (IOException e) {
      throw PositionalFile.cannotRead(this, e);
    }
  }

  /** Returns the number of bytes read; 0 if another thread's interrupt closed the channel. */
  private int readOnce(long pos, ByteBuffer target) throws IOException {
    FileChannel current = openChannel();
    try {
      int n = current.read(target, pos);
      if (n < 0) {
        throw new EOFException("file has become shorter: pos=" + pos);
      }
      return n;
    } catch (ClosedByInterruptException e) {
      forget(current);
      throw e;
    } catch (ClosedChannelException _) {
      forget(current);
      return 0;
    }
  }

  @Override
  public boolean countsReads() {
    return true;
  }

  @Override
  public boolean readsMemory() {
    return false;
  }

  @Override
  public Optional<Resident> resident() throws IOException {
    return PageResidency.of(path);
  }

  @Override
  public synchronized void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  private synchronized FileChannel openChannel() throws IOException {
    ensureOpen();
    if (channel == null) {
      FileChannel reopened = FileChannel.open(path, StandardOpenOption.READ);
      try {
        if (!Identity.of(path).equals(identity)) {
          throw new IOException("the file was closed by an interrupt and has been replaced since");
        }
      } catch (IOException e) {
        reopened.close();
        throw e;
      }
      channel = reopened;
    }
    return channel;
  }

  private synchronized void forget(FileChannel broken) throws IOException {
    if (channel == broken) {
      channel = null;
      // The JDK closed it already, but a wrapping file system may count the closed channels.
      broken.close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      LiveResource.DESCRIPTORS.add(-1);
      if (channel != null) {
        channel.close();
      }
    }
  }

  @Override
  public String toString() {
    return "ChannelFile(path=\"" + path + "\", length=" + length + ")";
  }
}
