package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.directories.CommitFiles;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.MeteredDirectory;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;

/** A near-real-time fork: copies the index into a new directory and runs the workload on it. */
public final class NrtJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "nrt";

  /** Said by the fork, with its {@link NrtSamples}. */
  static final String MEASURED = "measured";

  @Override
  public void run(Fork parent) throws IOException {
    NrtSpec spec = parent.spec(NrtSpec.class);
    Meter meter = new Meter();
    NrtRun run =
        new NrtRun(
            spec,
            LoadedCorpus.read(Path.of(spec.text())),
            ChosenTasks.read(Path.of(spec.tasks()), Fields.BODY),
            meter);
    try (Directory plain = spec.directory().create("index")) {
      fill(plain, Path.of(spec.index()));
      parent.send(
          MEASURED,
          run.run(
              spec.directory().metered() ? new MeteredDirectory(plain, meter) : plain,
              plain.toString()));
    }
  }

  /** Copies the last commit, and gives the disk the time for it now. */
  private static void fill(Directory directory, Path index) throws IOException {
    try (Directory source = new MMapDirectory(index)) {
      Collection<String> files = CommitFiles.all(source);
      CommitFiles.copy(source, files, directory, IOContext.DEFAULT);
      directory.sync(files);
    }
  }
}
