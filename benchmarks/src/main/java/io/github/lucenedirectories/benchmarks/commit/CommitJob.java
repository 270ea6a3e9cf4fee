package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.watch.Watch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;

/**
 * A committing fork. Each size of commits has a directory and an index of its own. First all are
 * made and warmed up, then each is opened again and measured, so that the compiler has seen all
 * sizes before the first is measured, and that an open directory has a past.
 */
public final class CommitJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "commit";

  /** Said by the fork, with its {@link CommitSamples}. */
  static final String MEASURED = "measured";

  @Override
  public void run(Fork parent) throws IOException {
    CommitSpec spec = parent.spec(CommitSpec.class);
    LoadedCorpus text = LoadedCorpus.read(Path.of(spec.text()));
    List<CommitRun> runs =
        spec.documentsPerCommit().stream().map(size -> new CommitRun(text, size)).toList();
    try (Watch watch = new Watch()) {
      for (int i = 0; i < runs.size(); i++) {
        try (Directory directory = open(spec, i)) {
          runs.get(i).run(directory, spec.warmupSeconds() / runs.size(), () -> {});
        }
      }
      List<CommitSamples.Size> sizes = new ArrayList<>();
      String name = "";
      for (int i = 0; i < runs.size(); i++) {
        try (Directory directory = open(spec, i)) {
          sizes.add(runs.get(i).run(directory, spec.seconds() / runs.size(), watch::mark));
          name = directory.toString();
        }
      }
      parent.send(MEASURED, new CommitSamples(name, sizes, watch.finishParts()));
    }
  }

  private static Directory open(CommitSpec spec, int number) throws IOException {
    return spec.directory().open(Path.of(spec.folder(), "index-" + number));
  }
}
