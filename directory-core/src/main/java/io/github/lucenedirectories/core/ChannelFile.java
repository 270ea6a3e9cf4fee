package io.github.lucenedirectories.core;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.store.AlreadyClosedException;

/** A {@link PositionalFile} over a {@link FileChannel}, for any platform and file system. */
final class ChannelFile implements PositionalFile {

  /*
   * An interrupt closes a FileChannel under all its readers. Each reader that notices reads again
   * from a new channel, which the first of them opens. The file must still have its name then: that
   * is the price of this fallback.
   */

  private final Path path;
  private final long length;
  private FileChannel channel;
  private boolean closed;

  private ChannelFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.length = channel.size();
  }

  static ChannelFile open(Path path) throws IOException {
    ChannelFile file =
        Interrupts.shield(
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
    Interrupts.shield(
        () -> {
          while (done[0] < length) {
            done[0] += readOnce(pos + done[0], target, offset + done[0], length - done[0]);
          }
          return done;
        });
  }

  /** Returns the number of bytes read; 0 if another thread's interrupt closed the channel. */
  private int readOnce(long pos, byte[] target, int offset, int length) throws IOException {
    FileChannel current = openChannel();
    try {
      int n = current.read(ByteBuffer.wrap(target, offset, length), pos);
      if (n < 0) {
        throw new EOFException("file has become shorter: pos=" + pos + ": " + this);
      }
      return n;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (ClosedChannelException _) {
      return 0;
    }
  }

  private synchronized FileChannel openChannel() throws IOException {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
    if (!channel.isOpen()) {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    }
    return channel;
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      LiveResource.DESCRIPTORS.add(-1);
      channel.close();
    }
  }

  @Override
  public String toString() {
    return "ChannelFile(path=\"" + path + "\", length=" + length + ")";
  }
}
