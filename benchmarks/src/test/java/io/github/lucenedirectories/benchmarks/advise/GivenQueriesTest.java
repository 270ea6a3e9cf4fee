package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GivenQueriesTest {
  @TempDir private Path folder;

  private List<String> written(String text) throws IOException {
    Path given = Files.writeString(folder.resolve("given"), text);
    Path tasks = folder.resolve("tasks");
    int count = GivenQueries.write(given, tasks);
    List<String> written = TaskFile.read(tasks).stream().map(Object::toString).toList();
    assertEquals(written.size(), count);
    return written;
  }

  @Test
  void plainLinesAreQueries() throws IOException {
    assertEquals(
        List.of("Query: public transport", "Query: c  \"night train\"", "Query: note: this"),
        written("# mine\r\npublic transport\r\n\r\nc# \"night train\"\nnote: this\n"));
  }

  @Test
  void taskFilesKeepTheirKinds() throws IOException {
    assertEquals(
        List.of("Term: train", "Near: near//night train"),
        written("Term: train # freq=3\n\nNear: near//night train\n"));
  }

  @Test
  void nothingToAsk() throws IOException {
    assertEquals(
        "no queries in " + folder.resolve("given"),
        assertThrows(UsageException.class, () -> written("# mine\n\n")).getMessage());
  }
}
