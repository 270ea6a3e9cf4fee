package io.github.lucenedirectories.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The finished cells of a run in its folder, each as a file with all that was measured, and the
 * settings that they were measured with. A run that was interrupted goes on with them.
 */
final class Cells {
  private static final String SETTINGS = "settings.json";

  private final Path folder;

  private Cells(Path folder) {
    this.folder = folder;
  }

  /**
   * The cells of a folder.
   *
   * @param settings that decide what is measured
   * @param resume whether to keep what is there; else it is removed
   * @throws UsageException if what is there was measured with other settings
   */
  static Cells open(Path out, Object settings, boolean resume) throws IOException {
    Path folder = out.resolve("cells");
    Path file = folder.resolve(SETTINGS);
    JsonNode wanted = LoadJson.tree(settings);
    if (resume && Files.exists(file)) {
      String difference = difference("", LoadJson.readFile(file, JsonNode.class), wanted);
      if (difference != null) {
        throw new UsageException(
            "cannot resume "
                + out
                + ": "
                + difference
                + "; give the same options, or leave out --resume to begin anew");
      }
    } else if (resume) {
      throw new UsageException("nothing to resume in " + out + ": leave out --resume");
    } else {
      Workspace.deleteTree(folder);
      Preparation.createFolder(folder);
      LoadJson.writeFile(file, settings);
    }
    return new Cells(folder);
  }

  /** Where two trees differ first, in words; null if they are equal. */
  private static @Nullable String difference(String path, @Nullable JsonNode was, JsonNode is) {
    if (is.equals(was)) {
      return null;
    }
    if (was != null && was.isObject() && is.isObject()) {
      for (Map.Entry<String, JsonNode> field : is.properties()) {
        String inside =
            difference(
                path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                was.get(field.getKey()),
                field.getValue());
        if (inside != null) {
          return inside;
        }
      }
    }
    return path + " was " + was + " and is " + is;
  }

  /** A cell that was finished before. */
  Optional<LoadCell> find(String name) throws IOException {
    Path file = file(name);
    return Files.exists(file)
        ? Optional.of(LoadJson.readFile(file, LoadCell.class))
        : Optional.empty();
  }

  /** Keeps a cell. */
  void keep(String name, LoadCell cell) throws IOException {
    LoadJson.writeFile(file(name), cell);
  }

  private Path file(String name) {
    return folder.resolve(name + ".json");
  }
}
