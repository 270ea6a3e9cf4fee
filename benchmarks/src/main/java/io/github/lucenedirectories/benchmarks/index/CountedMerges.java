package io.github.lucenedirectories.benchmarks.index;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy.OneMerge;

/** Lucene's default merge scheduler, which also counts its merges. */
final class CountedMerges extends ConcurrentMergeScheduler {
  private final AtomicInteger count = new AtomicInteger();

  int count() {
    return count.get();
  }

  @Override
  protected void doMerge(MergeSource source, OneMerge merge) throws IOException {
    super.doMerge(source, merge);
    count.incrementAndGet();
  }
}
