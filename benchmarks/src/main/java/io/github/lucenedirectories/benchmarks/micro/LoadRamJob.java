package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.forks.ForkChannel;
import io.github.lucenedirectories.benchmarks.forks.ForkJob;
import io.github.lucenedirectories.internal.os.NativeCalls;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** A fork that times loads of an index in turns with bare reads of its files. */
public final class LoadRamJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "load-ram";

  /** Said by the fork, with its {@link LoadTimes}. */
  static final String MEASURED = "measured";

  @Override
  public void run(ForkChannel parent) throws IOException {
    LoadRamSpec spec = parent.spec(LoadRamSpec.class);
    NativeCalls calls =
        NativeCalls.get()
            .orElseThrow(
                () -> new UsageException("nothing to compare with: " + NativeCalls.whyAbsent()));
    try (Directory source = new MMapDirectory(Path.of(spec.index()))) {
      parent.send(MEASURED, new LoadRounds(calls, source, spec).measure());
    }
  }
}
