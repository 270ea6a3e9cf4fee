package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link PrepareJob} in a fork, so that indexing has the flags it is fast with and ends
 * with the workspace, leaving no half-built index.
 */
public final class Preparation {
  private final IndexSource source;
  private final @Nullable String taskFile;
  private final List<String> kinds;
  private final Path out;
  private boolean countsHits;

  /**
   * @param defaultKinds the kinds that are picked unless the user names some; empty for all
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexSource source, TaskOptions tasks, List<String> defaultKinds, Path out) {
    this(source, tasks.tasks(), tasks.kinds(defaultKinds), out);
  }

  /**
   * @param taskFile the path of a task file; null to pick queries from the index
   * @param kinds to run; empty for all
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexSource source, @Nullable String taskFile, List<String> kinds, Path out) {
    this.source = source;
    this.taskFile = taskFile;
    this.kinds = List.copyOf(kinds);
    this.out = out;
  }

  /** Counts the queries that find nothing, too. */
  public Preparation countingHits() {
    countsHits = true;
    return this;
  }

  /**
   * Finds or builds the index and chooses queries.
   *
   * @param queries of each kind, at most; 0 for a workload that has none
   * @param chosen the path to write the chosen lines to
   * @throws UsageException if the index or the text cannot be used
   */
  public Prepared run(Workspace workspace, int queries, long seed, Path chosen) throws IOException {
    createFolder(out);
    Path partial = out.resolve(".index-" + ProcessHandle.current().pid()).toAbsolutePath();
    workspace.alsoRemove(partial);
    PrepareSpec spec =
        new PrepareSpec(
            source,
            out.toAbsolutePath().toString(),
            partial.toString(),
            taskFile,
            kinds,
            queries,
            seed,
            countsHits,
            chosen.toString());
    ForkStart start = new ForkStart("the index", PrepareJob.NAME, spec, true);
    return ChildJvm.run(
        workspace, JvmFlags.forIndex(0), start, PrepareJob.PREPARED, Prepared.class);
  }

  /**
   * Creates a folder that a user named, and those above it.
   *
   * @throws UsageException if that cannot be
   */
  public static void createFolder(Path out) {
    try {
      Files.createDirectories(out);
    } catch (FileAlreadyExistsException e) {
      throw new UsageException("not a folder: " + out, e);
    } catch (IOException e) {
      throw new UsageException("cannot create " + out + ": " + e, e);
    }
  }

  /**
   * Copies the lines that were chosen into the folder for results.
   *
   * @throws UsageException that names the file, if it cannot be written
   */
  public static void keepQueries(Path chosen, Path out) {
    Path kept = out.resolve("queries.tasks");
    try {
      Files.copy(chosen, kept, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw UsageException.because("cannot write " + kept, e);
    }
  }
}
