package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyReadersTest {
  @Test
  void readUntilTheyAreClosed() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexInput input = file(directory)) {
      BusyReaders readers = BusyReaders.start(2, input);
      long first = readers.reads();
      while (readers.reads() < first + 10_000) {
        Thread.sleep(1);
      }
      readers.close();
      long last = readers.reads();
      Thread.sleep(20);
      assertEquals(last, readers.reads(), "reads after close");
    }
  }

  @Test
  void aFailureIsReportedWhenTheyAreClosed() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexInput input = file(directory)) {
      CountDownLatch tried = new CountDownLatch(1);
      BusyReaders readers = BusyReaders.start(1, new Failing(input, tried));
      tried.await();
      IOException failure = assertThrows(IOException.class, readers::close);
      assertTrue(failure.toString().contains("a busy reader failed"), failure.toString());
      assertInstanceOf(EOFException.class, failure.getCause());
    }
  }

  private static IndexInput file(Directory directory) throws IOException {
    try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
      out.writeBytes(Block.randomBytes().bytes(), 1 << 16);
    }
    return directory.openInput("file", IOContext.DEFAULT);
  }

  /** Every read fails, and is counted before. */
  private static final class Failing extends FilterIndexInput {
    private final CountDownLatch tried;

    Failing(IndexInput in, CountDownLatch tried) {
      super("failing", in);
      this.tried = tried;
    }

    @Override
    public long readLong() throws IOException {
      tried.countDown();
      throw new EOFException("planted");
    }

    @Override
    public IndexInput clone() {
      return new Failing(in.clone(), tried);
    }
  }
}
