package io.github.lucenedirectories.benchmarks.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedCorpusTest {
  private static final String LINES =
      """
      One\t01-MAR-2011 00:10:00.000\tfirst \u00e9\u6f22 "quoted" \\ body\tlabel
      Two\t02-MAR-2011 01:10:00.000\tsecond
      Three\t03-MAR-2011 02:10:00.000\tthird
      """;

  @TempDir private Path folder;

  private CorpusSpec lines(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("lines.tsv"), text);
    return new CorpusSpec(List.of(file.toString()), 5);
  }

  @Test
  void documentsComeBackAsTheyWere() throws IOException {
    CorpusSpec spec = lines(LINES);
    List<LineDocument> expected = new ArrayList<>();
    spec.openOnce().forEach(expected::add);
    Path file = folder.resolve("text.json");
    LoadedCorpus.Size size = LoadedCorpus.write(spec.openOnce(), Integer.MAX_VALUE, file);
    assertEquals(3, size.documents());
    assertEquals(
        expected.stream().mapToInt(d -> d.body().getBytes(StandardCharsets.UTF_8).length).sum(),
        size.bytes());
    LoadedCorpus loaded = LoadedCorpus.read(file);
    assertEquals(3, loaded.size());
    for (int i = 0; i < 7; i++) {
      assertEquals(expected.get(i % 3), loaded.line(i));
    }
  }

  @Test
  void limitEndsTheReading() throws IOException {
    // The line that cannot be read comes after the limit.
    CorpusSpec spec = lines(LINES + "no tabs\n");
    Path file = folder.resolve("text.json");
    assertEquals(2, LoadedCorpus.write(spec.openOnce(), 2, file).documents());
    assertEquals(2, LoadedCorpus.read(file).size());
    assertThrows(
        UsageException.class, () -> LoadedCorpus.write(spec.openOnce(), 4, folder.resolve("b")));
  }

  @Test
  void copiesRepeatTheText() throws IOException {
    CorpusSpec spec = lines(LINES);
    List<LineDocument> all = new ArrayList<>();
    spec.open().forEach(all::add);
    assertEquals(15, all.size());
    assertEquals(all.get(0), all.get(12));
  }
}
