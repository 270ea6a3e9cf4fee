// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.results.MadeUp;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables and pages of results whose truth is known, and the command that draws them. */
class ReportTest {
  private static final String CONTROL = Results.controlOf(MadeUp.BASE);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  /* Made once, since the intervals take time. */
  private static final Results QUIET = made().results();
  private static final Results NOISY = made().column(CONTROL, 1.5, 1).results();

  private static MadeUp made() {
    return new MadeUp(12, 0.005).control().column("Ram", 1.2, 0.8).column("Nio", 0.5, 2);
  }

  private static String line(List<String> lines, String start) {
    return lines.stream().filter(l -> l.startsWith(start)).findFirst().orElseThrow();
  }

  @Test
  void theTerminalBeginsWithTheVerdictAndMarksWhatIsBetter() {
    List<String> lines = Tables.lines(QUIET);
    assertEquals(Objects.requireNonNull(QUIET.verdict()).sentences(), lines.subList(0, 3));
    String columns = "\\S+ \\+-\\d%";
    String kind = line(lines, "Kind4 ");
    assertTrue(
        kind.matches(
            "Kind4 +"
                + columns
                + " +"
                + columns
                + "  (0.99|1.0\\d) \\+-\\d% [ <>] +1,2\\d\\d \\+-\\d%  1\\.[12]\\d \\+-\\d% > +\\d+"
                + " \\+-\\d%  0\\.(49|5\\d) \\+-\\d% <"),
        kind);
    String header = line(lines, "kind ");
    assertTrue(header.indexOf("(again)") < header.indexOf("Ram"), header);
    assertTrue(
        line(lines, "Ram  ").matches("Ram +1[56]\\.\\d+ .*  0\\.(79|8\\d) .* >"),
        line(lines, "Ram  "));
    assertTrue(line(lines, "geometric mean").contains("1.20 +-0% >"), line(lines, "geometric"));
    assertFalse(String.join("\n", lines).contains(MadeUp.COUNT), "the runs are on the page alone");
  }

  @Test
  void aRunWithoutAnswerHasNoTables() throws IOException {
    List<String> lines = Tables.lines(NOISY);
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("No answer: "), lines.get(0));
    Page.write(NOISY, folder.resolve("noisy.html"));
    String html = Files.readString(folder.resolve("noisy.html"));
    assertTrue(html.contains("<body class='noisy'>\n<header><h1>No answer"));
    JsonNode content = content(html);
    assertEquals(0, content.get("tables").size());
  }

  private static JsonNode content(String html) throws IOException {
    String start = "<script type='application/json' id='content'>";
    int from = html.indexOf(start) + start.length();
    return MAPPER.readTree(html.substring(from, html.indexOf("</script>", from)));
  }

  @Test
  void thePageHoldsTheVerdictTheHintsAndEscapesTheRest() throws IOException {
    Results results = new MadeUp(4, 0.005).control().column("</script>", 1.2, 1).results();
    Page.write(results, folder.resolve("a.html"));
    String html = Files.readString(folder.resolve("a.html"));
    String body = html.substring(html.indexOf("<body"));
    assertTrue(
        body.startsWith("<body class='trusted'>\n<header><h1>MMapDirectory (again) &#x2F; MMap"),
        body.substring(0, 200));
    assertTrue(html.contains("<title>Made up &lt;for&gt; a test</title>"));
    assertFalse(html.contains("{{"));
    JsonNode content = content(html);
    assertEquals(results.hints().size(), content.get("hints").size());
    assertEquals("A note & more.", content.get("notes").get(0).asText());
    assertEquals(Tables.of(results).size(), content.get("tables").size());
  }

  private EndedCommand report(String... runs) {
    return EndedCommand.run("report", folder.resolve("page"), runs);
  }

  private String run(String name, Results results) throws IOException {
    Path run = Files.createDirectories(folder.resolve(name));
    results.write(run.resolve(Results.FILE));
    return run.toString();
  }

  @Test
  void aRunIsDrawnAgain() throws IOException {
    String run = run("one", QUIET);
    EndedCommand ended = report(run);
    ended.assertDone();
    assertTrue(ended.out().startsWith("MMapDirectory (again) / MMapDirectory: 1.00"), ended.out());
    assertTrue(ended.out().endsWith("Written: " + folder.resolve("page/report.html") + "\n"));
    JsonNode json = MAPPER.readTree(report(run, "--json").out());
    assertEquals("version", json.fieldNames().next());
    assertTrue(json.at("/verdict/trusted").asBoolean());
  }

  @Test
  void runsAreComparedWithTheFirst() throws IOException {
    String first = run("old", QUIET);
    String second = run("new", new MadeUp(12, 0.005).control().column("Ram", 1.8, 0.4).results());
    EndedCommand ended = report(first, second, "--json");
    ended.assertDone();
    JsonNode json = MAPPER.readTree(ended.out());
    assertTrue(json.at("/verdict/sentences/0").asText().startsWith("A old: MMapDirectory (again)"));
    int found = 0;
    for (JsonNode ratio : json.get("ratios")) {
      assertEquals("A old", ratio.get("baseline").asText());
      assertEquals("B new", ratio.get("directory").asText());
      boolean ram = ratio.get("task").asText().startsWith("Ram: ");
      boolean time = ratio.get("task").asText().endsWith(MadeUp.TIME);
      assertEquals(
          ram ? time ? 0.5 : 1.5 : 1, ratio.get("ratio").asDouble(), 0.02, ratio.toString());
      if (ram) {
        assertEquals("faster", ratio.get("verdict").asText());
        found++;
      }
    }
    List<String> tasks = json.get("results").findValuesAsText("task");
    assertTrue(tasks.contains("Ram: " + MadeUp.TIME), tasks.toString());
    assertFalse(tasks.contains("Nio: " + MadeUp.TIME), "only the first run has it");
    assertEquals(MadeUp.KINDS.size() + 1, found);
  }

  @Test
  void factsThatDifferAreNamed() throws IOException {
    Path other = Path.of(run("new", QUIET)).resolve(Results.FILE);
    String json = Files.readString(other).replace("a & b", "c");
    Files.writeString(other, json.replace("\"threads\" : 2", "\"threads\" : 4"));
    EndedCommand ended = report(run("old", QUIET), other.toString());
    assertTrue(ended.out().matches("(?s).*\ncpu +a & b +c\nplan.threads +2 +4\n.*"), ended.out());
  }

  @Test
  void whatIsNoRunIsRefusedInOneLine() throws IOException {
    report(folder.resolve("absent").toString())
        .assertRefused(
            "no such run: " + folder.resolve("absent") + " (a folder with results.json, or that)");
    Path damaged = Files.writeString(folder.resolve("damaged.json"), "{\n\"version\": 2,");
    assertTrue(report(damaged.toString()).err().contains("is damaged at line 2"));
    Path empty = Files.writeString(folder.resolve("empty.json"), "{}");
    assertTrue(report(empty.toString()).err().contains("has no figures"));
    EndedCommand.run("report", empty, run("run", QUIET)).assertRefused("not a folder: " + empty);
  }

  @Test
  void whatIsDamagedIsRefusedInOneLine() throws IOException {
    Table table = new Table("t", "n", List.of("a"), List.of(List.of("b")));
    String whole = QUIET.withTables(List.of(table)).json();
    Path file = folder.resolve("changed.json");
    String[][] changes = {
      {"\"Ram\"", "null"},
      {"\"task\" : \"" + MadeUp.TIME + "\",", ""},
      {"\"samples\" : [", "\"samples\" : [ null,"},
      {"[ \"b\" ]", "[ ]"},
      {"\"threads\" : 2", "\"threads\" : " + "[".repeat(60) + "]".repeat(60)}
    };
    for (String[] change : changes) {
      assertTrue(whole.contains(change[0]), change[0]);
      Files.writeString(file, whole.replace(change[0], change[1]));
      EndedCommand ended = report(file.toString());
      String damaged =
          "not the results of a run: \\Q" + file + "\\E is damaged( at line \\d+.*)?\n";
      assertTrue(ended.err().matches(damaged), ended.err());
      assertEquals(2, ended.status());
    }
    Path compressed = folder.resolve("results.json.gz");
    String refusal = "not the results of a run: " + compressed + " is damaged";
    for (String text : List.of("", "{}")) {
      Files.writeString(compressed, text);
      report(compressed.toString()).assertRefused(refusal);
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write((" ".repeat(1 << 26) + whole).getBytes(UTF_8));
    }
    report(compressed.toString()).assertRefused(refusal);
  }

  @Test
  void halfACharacterAndALineFeedAreDrawn() throws IOException {
    Path odd = folder.resolve("odd.json");
    String name = "\"workload\" : \"";
    Files.writeString(odd, QUIET.json().replace("Made up", "\\ud800").replace(name, name + "\\n"));
    report(odd.toString()).assertDone();
    assertTrue(Files.readString(folder.resolve("page/report.html")).contains("<title>? &lt;for"));
    report(run("run", QUIET), odd.toString())
        .assertRefused(
            "these are runs of different commands, which have no figures in common: test,  test");
  }

  @Test
  void aSampleOfFuzzing() throws IOException {
    ReportFuzz fuzz = new ReportFuzz(folder);
    Random random = new Random();
    for (int i = 0; i < 200; i++) {
      byte[] input = new byte[random.nextInt(1, 20)];
      random.nextBytes(input);
      assertDoesNotThrow(() -> fuzz.run(input), () -> Base64.getEncoder().encodeToString(input));
    }
  }
}
