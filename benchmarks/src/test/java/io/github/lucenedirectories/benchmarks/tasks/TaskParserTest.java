// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskParserTest {
  private final TaskParser parser = new TaskParser("body");
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HighTerm | went | body TERMS",
        "AndHighHigh | +be +up | body TERMS",
        "OrHighNotLow | according -zhang | body TERMS",
        "AndHighOrMedMed | +be +(mostly interview) | body TERMS",
        "Phrase | \"it was\" | body POSITIONS",
        "SloppyPhrase | \"after his\"~4 | body POSITIONS",
        "Prefix3 | abb* | body TERMS",
        "Wildcard | ab*d | body TERMS",
        "Fuzzy2 | bates~2 | body TERMS",
        "SpanNear | near//see the | body POSITIONS",
        "IntervalsOrdered | ordered//see the | body POSITIONS",
        "IntNRQ | nrq//timesecnum 10044 66714 | timesecnum INT_POINTS",
        "IntSet | intSet//timesecnum 31195 75158 35566 | timesecnum INT_POINTS",
        "VectorSearch | vector//publisher backstory | vector VECTORS",
        "TermDateTimeSort | lastmodndvsort//0 | body TERMS, lastmod NUMBER",
        "AndMissingHigh | titledvsort//+jasdgiasgdiuygduasgd +ring | body TERMS, title SORTED",
        "TermMonthSort | monthdvsort//0 | body TERMS, month SORTED",
        "TermDayOfYearSort | dayofyeardvsort//0 | body TERMS, dayOfYear NUMBER",
        "CountOrHighMed | count(at mostly) | body TERMS",
        "CountNRQ | count(nrq//timesecnum 10044 66714) | timesecnum INT_POINTS",
        "BrowseRandomLabelSSDVFacets | *:* +facets:sortedset:RandomLabel | body TERMS, RandomLabel SORTED_SET",
        "PKLookup | pk//00000a 00000b | id TERMS",
        "Stored | stored//went | body TERMS",
        "Highlight | highlight//went | body POSITIONS, body STORED",
        "StoredTen | docs//10 4711 | ''",
      })
  void understandsLuceneutilsSyntaxAndItsOwn(String kind, String text, String needs)
      throws Exception {
    assertEquals(
        needs,
        parser.parse(new TaskLine(kind, text)).needs().stream()
            .map(need -> need.field() + " " + need.feature())
            .collect(Collectors.joining(", ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Respell      | corleonesi                               | spelling suggestions",
        "FilteredTerm | 0 +filter=5%                             | +filter",
        "PreFiltered  | vector//publisher backstory +preFilter=5% | +preFilter",
        "CountFiltered | count(are last +filter=5%)              | +filter",
        "ConstMSM2    | ref also url +constantScore +minShouldMatch=2 | +constantScore",
        "DismaxTerm   | 0 +dismaxFields=titleTokenized,body      | +dismaxFields",
        "TermDateFacets | 0 +facets:taxonomy:Date                | +facets",
        "BrowseMonth  | *:* +facets:sortedset:Month              | facets by Month",
        "TermGroup1M  | group1M//0                               | group1M//",
        "DVRange      | count(dvrange//lastMod_skipper 1 2)      | dvrange//",
        "range        | dayOfYear:0-50,50-100                    | queries that name a field",
        "FilteredNRQ  | nrq//timesecnum 1 2 +filter=5%           | +filter",
        "IntNRQ       | nrq//other 1 2                           | numbers in field other",
        "StoredTen    | docs//ten 1                              | not a number of documents and a seed: ten 1",
        "StoredTen    | docs//10                                 | not a number of documents and a seed: 10",
      })
  void namesWhatItDoesNotRun(String kind, String text, String reason) {
    UnsupportedTaskException refused =
        assertThrows(UnsupportedTaskException.class, () -> parser.parse(new TaskLine(kind, text)));
    assertEquals(reason, refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", "\"open", "a AND", "(b", "/[/", "/(a|b)*a(a|b){20}/"})
  void queryThatDoesNotParseIsSkippedNotACrash(String text) {
    assertThrows(UnsupportedTaskException.class, () -> parser.parse(new TaskLine("Term", text)));
  }

  private List<String> read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("a.tasks"), text);
    return TaskFile.read(file).stream().map(TaskLine::toString).toList();
  }

  @Test
  void fileLosesCommentsAndKeepsOrder() throws IOException {
    String text = "# header\n\nHighTerm: went # freq=6051\nAndHighHigh:+be +up # freq=1 freq=2\n";
    List<String> expected = List.of("HighTerm: went", "AndHighHigh: +be +up");
    assertEquals(expected, read(text));
    Path packed = folder.resolve("a.tasks.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    List<TaskLine> unpacked = TaskFile.read(packed);
    assertEquals(expected, unpacked.stream().map(TaskLine::toString).toList());
    TaskFile.write(folder.resolve("b.tasks"), unpacked);
    assertEquals(unpacked, TaskFile.read(folder.resolve("b.tasks")));
    assertEquals(
        List.of("HighTerm: went", "near: near//a b"), read("HighTerm:went\nnear: near//a b\n"));
  }

  @Test
  void linesOfLogsAreQueries() throws IOException {
    List<String> expected = List.of("Query: night train", "Query: fare");
    assertEquals(expected, read("q1\tnight train\t3\t0\n\nq2\tfare\t1\n"));
    assertEquals(expected, read("# mine\r\nnight train\r\nfare\n"));
    assertEquals(expected, read("night train\t12\nfare\t\n"));
    assertEquals(
        List.of("Query: c  \"night train\"", "Query: note: this", "Query: fare"),
        read("c# \"night train\"\nnote: this\nfare"));
  }

  @Test
  void filesWithoutTasksAreRefused() {
    refused("no such file: ", () -> TaskFile.read(folder.resolve("none")));
    refused("no queries in " + folder.resolve("a.tasks"), () -> read("# nothing\n"));
    refused(
        folder.resolve("a.tasks") + ":2: a line without a kind, expected 'Kind: query'",
        () -> read("HighTerm: went\nno kind here\n"));
  }

  private static void refused(String message, Executable reading) {
    UsageException refused = assertThrows(UsageException.class, reading);
    assertTrue(String.valueOf(refused.getMessage()).startsWith(message), refused::toString);
  }
}
