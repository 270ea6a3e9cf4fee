package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.forks.ForkStart;
import io.github.lucenedirectories.benchmarks.forks.JvmFlags;
import io.github.lucenedirectories.benchmarks.forks.JvmFork;
import io.github.lucenedirectories.benchmarks.forks.Workspace;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs the {@link PrepareJob} in a fork, so that indexing has the flags it is fast with and ends
 * with the workspace, leaving no half-built index.
 */
public final class Preparation {
  private final IndexOptions index;
  private final TaskOptions tasks;
  private final Path out;

  /**
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexOptions index, TaskOptions tasks, Path out) {
    this.index = index;
    this.tasks = tasks;
    this.out = out;
  }

  /**
   * Finds or builds the index and chooses queries.
   *
   * @param queries of each kind, at most
   * @param chosen the path to write the chosen lines to
   * @throws UsageException if the index or the text cannot be used
   */
  public Prepared run(Workspace workspace, int queries, long seed, Path chosen) throws IOException {
    createOut();
    Path partial = out.resolve(".index-" + ProcessHandle.current().pid()).toAbsolutePath();
    workspace.alsoRemove(partial);
    PrepareSpec spec =
        new PrepareSpec(
            index.index(),
            index.docs(),
            index.copies(),
            out.toAbsolutePath().toString(),
            partial.toString(),
            index.field(),
            tasks.tasks(),
            tasks.kinds(),
            queries,
            seed,
            chosen.toString());
    ForkStart start = new ForkStart("the index", PrepareJob.NAME, spec, true);
    try (JvmFork fork = JvmFork.start(workspace, JvmFlags.forIndex(0), start)) {
      Prepared prepared = fork.await(PrepareJob.PREPARED, Prepared.class);
      fork.finish();
      return prepared;
    }
  }

  private void createOut() {
    try {
      Files.createDirectories(out);
    } catch (FileAlreadyExistsException e) {
      throw new UsageException("not a folder: " + out, e);
    } catch (IOException e) {
      throw new UsageException("cannot create " + out + ": " + e, e);
    }
  }
}
