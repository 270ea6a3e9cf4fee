package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.directories.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The fork that finds out which columns this machine allows: it opens each once. */
public final class ProbeJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "commit-probe";

  /** Said by the fork, with what it has {@link Probed}. */
  static final String PROBED = "probed";

  @Override
  public void run(Fork parent) throws IOException {
    Map<String, String> refusals = new LinkedHashMap<>();
    for (CommitColumn column : parent.spec(ProbeSpec.class).columns()) {
      Path folder = Path.of(column.folder());
      try {
        probe(column, folder);
      } catch (IOException | RuntimeException e) {
        refusals.put(column.label(), PersistentMemory.reason(e));
      } finally {
        Workspace.deleteTree(folder);
      }
    }
    parent.send(PROBED, new Probed(refusals));
  }

  private static void probe(CommitColumn column, Path folder) throws IOException {
    Path place = Objects.requireNonNull(folder.getParent());
    if (!Files.isDirectory(place)) {
      throw new IOException("no such folder: " + place);
    }
    switch (column.place()) {
      case DISK -> {}
      case TMPFS -> {
        String type = Files.getFileStore(place).type();
        if (!type.equals("tmpfs")) {
          throw new IOException("no tmpfs but " + type + ": " + place);
        }
      }
      case DAX -> PersistentMemory.probe(place);
    }
    column.directory().open(folder).close();
  }
}
