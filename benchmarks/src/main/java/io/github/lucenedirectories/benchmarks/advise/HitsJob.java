package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.ReadOnlyDirectory;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.search.Answers;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** The fork that asks every chosen query once, and counts those that find nothing. */
public final class HitsJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "hits";

  /** Said by the fork, with its {@link QueryHits}. */
  static final String COUNTED = "counted";

  private static final String NONE = "0";

  @Override
  public void run(Fork parent) throws IOException {
    HitsSpec spec = parent.spec(HitsSpec.class);
    try (Directory directory = new ReadOnlyDirectory(new MMapDirectory(Path.of(spec.index())));
        IndexReader reader = DirectoryReader.open(directory)) {
      Answers answers =
          Answers.ask(
              ChosenTasks.read(Path.of(spec.tasks()), spec.field()), new SearchContext(reader));
      long without = answers.all().stream().filter(a -> a.answer().total().equals(NONE)).count();
      parent.send(COUNTED, new QueryHits(answers.all().size(), (int) without));
    }
  }
}
