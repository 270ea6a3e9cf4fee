// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.report.Chart.Bar;
import io.github.lucenedirectories.benchmarks.report.Chart.Lines;
import io.github.lucenedirectories.benchmarks.results.MadeUp;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.At;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables, charts and pages of results whose truth is known, and the command that draws them. */
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
    assertEquals(0, content.get("tables").size() + content.get("charts").size());
  }

  @Test
  void chartsOfRatiosShareOneScale() {
    Results results = made().times("Ram", "Kind2", 5, true).results();
    List<Chart> charts = Charts.of(results).stream().filter(c -> c.lines() == null).toList();
    assertEquals(3 + 1, charts.size());
    assertEquals(1, charts.stream().map(c -> c.low() + " " + c.high()).distinct().count());
    assertTrue(charts.get(0).low() < 0.5 && charts.get(0).high() > 2);
    assertEquals("Ram / " + MadeUp.BASE, charts.get(0).title());
    assertEquals(CONTROL + " / " + MadeUp.BASE, charts.get(2).title());
    assertEquals("left is better", charts.get(3).note());
    Bar mean = charts.get(0).bars().get(0);
    assertEquals("geometric mean", mean.label());
    for (Bar bar : charts.get(1).bars()) {
      assertEquals(0.5, bar.value(), 0.02, bar.toString());
      assertTrue(Objects.requireNonNull(bar.low()) < bar.value());
      assertTrue(Objects.requireNonNull(bar.high()) > bar.value());
      assertEquals("slower", bar.verdict());
    }
    assertEquals(MadeUp.KINDS.size() + 1, charts.get(1).bars().size());
  }

  private static Results lines() {
    List<String> forks = new ArrayList<>();
    for (int factor = 1; factor <= 3; factor++) {
      Histogram histogram = new Histogram(Recorded.DIGITS);
      int by = factor;
      IntStream.rangeClosed(1, 1000).forEach(i -> histogram.recordValue(1_000_000L * i * by));
      forks.add(Recorded.encode(histogram));
    }
    List<At> points = List.of(new At(1, List.of(3.0, 1.0, 2.0)), new At(2, List.of(5.0)));
    return QUIET
        .withLatencies(List.of(new Latencies("test", "Ram", "query", "ns", forks)))
        .withSeries(
            List.of(
                new Series("test", "Ram", "slowest", "seconds", "ms", null, points),
                new Series("test", "Nio", "other", "seconds", "ms", 4.0, points)));
  }

  @Test
  void linesAreMediansOverForksAndShareTheScaleOfTheirUnit() {
    List<Chart> charts = Charts.of(lines()).stream().filter(c -> c.lines() != null).toList();
    assertEquals(List.of("Slowest", "Other", "Query"), charts.stream().map(Chart::title).toList());
    assertEquals(charts.get(0).high(), charts.get(1).high());
    Lines slowest = Objects.requireNonNull(charts.get(0).lines());
    assertEquals(new Chart.Point(1, 2, 1.0, 3.0), slowest.lines().get(0).points().get(0));
    assertEquals(new Chart.Point(2, 5, null, null), slowest.lines().get(0).points().get(1));
    assertEquals(2, slowest.lines().get(0).style());
    Lines query = Objects.requireNonNull(charts.get(2).lines());
    Chart.Point median = query.lines().get(0).points().get(0);
    assertEquals(Curves.place(50), median.x());
    assertEquals(1000, median.y(), 1);
    Chart.Point last = query.lines().get(0).points().getLast();
    assertEquals(Curves.place(99.5), last.x(), "5 of 1,000 values lie above");
    assertEquals("p99", query.ticks().get(4).label());
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
    assertTrue(html.contains("Chart.js v4"), "the library is in the page");
    assertFalse(html.contains("{{"));
    JsonNode content = content(html);
    assertEquals(results.hints().size(), content.get("hints").size());
    assertEquals("A note & more.", content.get("notes").get(0).asText());
    assertEquals(Charts.of(results).size(), content.get("charts").size());
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
    String run = run("one", lines());
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
}
