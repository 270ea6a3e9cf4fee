package io.github.lucenedirectories.benchmarks.traffic;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that answers at once; every tenth query fails. */
final class EchoService implements Service {
  static final int QUERIES = 10;

  private final Counts counts;

  /** What it was asked. */
  static final class Counts {
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger marks = new AtomicInteger();
  }

  EchoService(Counts counts) {
    this.counts = counts;
  }

  @Override
  public String welcome() {
    return "echo \u00e9";
  }

  @Override
  public int queries() {
    return QUERIES;
  }

  @Override
  public int threads() {
    return 2;
  }

  @Override
  public Worker worker() {
    return query -> {
      counts.requests.incrementAndGet();
      if (query == QUERIES - 1) {
        throw new IOException("the last query fails");
      }
    };
  }

  @Override
  public void mark() {
    counts.marks.incrementAndGet();
  }

  @Override
  public String finish() {
    return "seen " + counts.requests + " marks " + counts.marks;
  }

  @Override
  public void close() {}
}
