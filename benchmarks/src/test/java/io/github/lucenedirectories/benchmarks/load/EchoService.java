package io.github.lucenedirectories.benchmarks.load;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers at once. The last query fails, and the one before it waits for {@link #release}. */
final class EchoService implements LoadServer.Service {
  static final int QUERIES = 9;
  static final int FAILING = 9;
  static final int WAITING = 10;

  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger marks = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  final CountDownLatch release = new CountDownLatch(1);

  @Override
  public String welcome() {
    return "echo \u00e9";
  }

  @Override
  public LoadServer.Session begin() {
    open.incrementAndGet();
    return new LoadServer.Session() {
      @Override
      public void answer(int query) throws IOException {
        requests.incrementAndGet();
        if (query == FAILING) {
          throw new IOException("this query fails");
        }
        if (query == WAITING) {
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
      }

      @Override
      public void mark() {
        marks.incrementAndGet();
      }

      @Override
      public String finish() {
        return "seen " + requests + " marks " + marks;
      }

      @Override
      public void close() {
        open.decrementAndGet();
      }
    };
  }
}
