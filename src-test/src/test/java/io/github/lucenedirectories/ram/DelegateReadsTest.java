package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.IndexInput;

/** Which clone of a delegate's input a read goes to. */
public class DelegateReadsTest extends LibraryTestCase {

  /**
   * The clone that was used last, since it knows where a scan has come to: also after two reads at
   * a time needed two.
   */
  public void testCloneUsedLast() throws Exception {
    Shared shared = new Shared();
    try (DelegateReads reads = new DelegateReads(new NumberedInput(0, shared))) {
      byte[] bytes = new byte[1];
      Thread slow =
          new Thread(
              () -> {
                try {
                  reads.read(0, bytes, 0, 1);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      slow.start();
      shared.begun.await();
      reads.read(1, new byte[1], 0, 1);
      shared.goOn.countDown();
      slow.join();
      shared.used.clear();
      for (int i = 2; i < 9; i++) {
        reads.read(i, bytes, 0, 1);
      }
      assertEquals(List.of(1, 1, 1, 1, 1, 1, 1), shared.used);
    }
    assertEquals(2, shared.clones);
    assertTrue(shared.closed);
  }

  /** What the clones of an input have in common. */
  private static final class Shared {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final List<Integer> used = new ArrayList<>();
    int clones;
    boolean closed;
  }

  /** An input that notes its number when it is read. A read at 0 waits to be told to go on. */
  private static final class NumberedInput extends IndexInput {
    final int number;
    final Shared shared;
    long pos;

    NumberedInput(int number, Shared shared) {
      super("input " + number);
      this.number = number;
      this.shared = shared;
    }

    @Override
    public void readBytes(byte[] b, int offset, int len) {
      if (pos == 0) {
        shared.begun.countDown();
        try {
          shared.goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      shared.used.add(number);
    }

    @Override
    public IndexInput clone() {
      return new NumberedInput(++shared.clones, shared);
    }

    @Override
    public void seek(long target) {
      pos = target;
    }

    @Override
    public long getFilePointer() {
      return pos;
    }

    @Override
    public long length() {
      return 100;
    }

    @Override
    public byte readByte() {
      throw new AssertionError();
    }

    @Override
    public IndexInput slice(String description, long offset, long length) {
      throw new AssertionError();
    }

    @Override
    public void close() {
      shared.closed = true;
    }
  }
}
