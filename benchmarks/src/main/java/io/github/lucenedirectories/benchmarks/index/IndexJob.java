package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.MeteredDirectory;
import io.github.lucenedirectories.benchmarks.watch.Watch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;

/**
 * An indexing fork: indexes the whole text into one directory, over and over, each time after all
 * files were deleted. So the warm-up pays for the first touch of memory, on the heap and outside of
 * it alike, as it does for the compiler. Garbage of a run is collected before the next begins, so
 * that none pays for its predecessor.
 */
public final class IndexJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "index";

  /** Said by the fork, with its {@link IndexSamples}. */
  static final String MEASURED = "measured";

  private static final double NANOS = 1e9;

  @Override
  public void run(Fork parent) throws IOException {
    IndexSpec spec = parent.spec(IndexSpec.class);
    IndexRun run = new IndexRun(spec, LoadedCorpus.read(Path.of(spec.text())));
    try (Directory directory = spec.directory().create("index");
        Watch watch = new Watch()) {
      if (spec.warmupSeconds() > 0) {
        runs(spec, run, directory, spec.warmupSeconds(), () -> {});
      }
      List<IndexSamples.Run> runs = runs(spec, run, directory, spec.seconds(), watch::mark);
      parent.send(MEASURED, new IndexSamples(runs, watch.finishParts()));
    }
  }

  /** Runs for a time; {@code edge} right before and right after each run. */
  private static List<IndexSamples.Run> runs(
      IndexSpec spec, IndexRun run, Directory directory, double seconds, Runnable edge)
      throws IOException {
    List<IndexSamples.Run> runs = new ArrayList<>();
    long start = System.nanoTime();
    while (runs.isEmpty() || System.nanoTime() - start < seconds * NANOS) {
      System.gc();
      edge.run();
      runs.add(once(spec, run, directory));
      edge.run();
      for (String name : directory.listAll()) {
        directory.deleteFile(name);
      }
    }
    return runs;
  }

  private static IndexSamples.Run once(IndexSpec spec, IndexRun run, Directory directory)
      throws IOException {
    Meter meter = new Meter();
    return run.run(
        spec.directory().metered() ? new MeteredDirectory(directory, meter) : directory, meter);
  }
}
