package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where persistent memory is. Without it ordinary memory stands for it. */
public final class DaxOption {

  @Option(
      names = "--dax",
      paramLabel = "FOLDER",
      description =
          "a folder on persistent memory, on a file system mounted with -o dax (default: none, and"
              + " a tmpfs stands for it)")
  private @Nullable Path dax;

  /** The folder; null for none. */
  public @Nullable Path folder() {
    return dax;
  }

  /**
   * Refuses a folder that is not on persistent memory.
   *
   * @throws UsageException with the reason
   */
  public void check() {
    if (dax != null) {
      try {
        PersistentMemory.probe(dax);
      } catch (IOException | RuntimeException e) {
        throw new UsageException(
            "--dax "
                + dax
                + ": "
                + PersistentMemory.reason(e)
                + "; leave it out to let ordinary memory stand for persistent memory",
            e);
      }
    }
  }

  /** A new workspace, whose directories in memory are on persistent memory if there is some. */
  public Workspace workspace() throws IOException {
    return dax == null ? Workspace.create() : Workspace.create(dax);
  }
}
