package io.github.lucenedirectories.testkit.ram;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.index.ConcurrentMergeScheduler;

/** Lucene's scheduler, keeping the failures of background merges instead of throwing them. */
final class RecordingMergeScheduler extends ConcurrentMergeScheduler {

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  @Override
  protected void handleMergeException(Throwable e) {
    failures.add(e);
  }

  /** The failures so far. */
  List<Throwable> failures() {
    return List.copyOf(failures);
  }
}
