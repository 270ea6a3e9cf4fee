package io.github.lucenedirectories.benchmarks.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The finished forks of a run, each in a file, and the settings that they were measured with: a run
 * that was interrupted goes on with them.
 */
final class LoadCells {
  static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;

  /**
   * Opens the cells of a folder for results.
   *
   * @param settings all that decides what is measured
   * @param resume whether to keep what is there; else it is removed
   * @throws UsageException if what is there was measured with other settings
   */
  LoadCells(Path out, Object settings, boolean resume) throws IOException {
    folder = out.resolve("cells");
    Path file = folder.resolve("settings.json");
    if (!resume) {
      Workspace.deleteTree(folder);
      Files.createDirectories(folder);
      write(file, settings);
    } else if (!Files.exists(file)) {
      throw new UsageException("nothing to resume in " + out + ": leave out --resume");
    } else {
      JsonNode wanted = JSON.readTree(JSON.writeValueAsString(settings));
      String difference = difference("", JSON.readTree(file.toFile()), wanted);
      if (difference != null) {
        throw new UsageException(
            "cannot resume "
                + out
                + ": "
                + difference
                + "; give the same options, or leave out --resume to start again");
      }
    }
  }

  /** Where two trees differ first; null if they are equal. */
  private static @Nullable String difference(String path, @Nullable JsonNode was, JsonNode is) {
    if (is.equals(was)) {
      return null;
    }
    if (was != null && was.isObject() && is.isObject()) {
      for (Map.Entry<String, JsonNode> field : is.properties()) {
        String name = field.getKey();
        String inside =
            difference(path.isEmpty() ? name : path + "." + name, was.get(name), field.getValue());
        if (inside != null) {
          return inside;
        }
      }
    }
    return path + " was " + was + " and is " + is;
  }

  /** A cell that was finished before; null if there is none. */
  @Nullable Samples find(String name) throws IOException {
    Path file = folder.resolve(name + ".json");
    return Files.exists(file) ? JSON.readValue(file.toFile(), Samples.class) : null;
  }

  void keep(String name, Samples cell) throws IOException {
    write(folder.resolve(name + ".json"), cell);
  }

  /** Writes a file that is there as a whole or not at all. */
  private static void write(Path file, Object value) throws IOException {
    Path partial = file.resolveSibling("." + file.getFileName());
    JSON.writerWithDefaultPrettyPrinter().writeValue(partial.toFile(), value);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
