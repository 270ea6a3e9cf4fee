package io.github.lucenedirectories.testkit.ram;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** A directory that counts the reads of its inputs, and lets a test do something before each. */
final class WatchedDirectory extends FilterDirectory {

  /** What happens before a read; may throw what the read is to throw. */
  @FunctionalInterface
  interface BeforeRead {
    void run() throws IOException;
  }

  final AtomicInteger reads = new AtomicInteger();
  private volatile BeforeRead beforeRead = () -> {};

  WatchedDirectory(Directory in) {
    super(in);
  }

  void beforeRead(BeforeRead action) {
    beforeRead = action;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new WatchedInput("watched " + name, in.openInput(name, context));
  }

  private final class WatchedInput extends IndexInput {
    private final IndexInput input;

    WatchedInput(String description, IndexInput input) {
      super(description);
      this.input = input;
    }

    private void watch() throws IOException {
      reads.incrementAndGet();
      beforeRead.run();
    }

    @Override
    public byte readByte() throws IOException {
      watch();
      return input.readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      watch();
      input.readBytes(bytes, offset, length);
    }

    @Override
    public long getFilePointer() {
      return input.getFilePointer();
    }

    @Override
    public void seek(long pos) throws IOException {
      input.seek(pos);
    }

    @Override
    public long length() {
      return input.length();
    }

    @Override
    public IndexInput slice(String description, long offset, long length) throws IOException {
      return new WatchedInput(description, input.slice(description, offset, length));
    }

    @Override
    public IndexInput clone() {
      return new WatchedInput(toString(), input.clone());
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
