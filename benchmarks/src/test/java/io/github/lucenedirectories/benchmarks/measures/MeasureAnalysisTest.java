package io.github.lucenedirectories.benchmarks.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of figures whose truth is known: rates, times, and what cannot be compared. */
class MeasureAnalysisTest {
  private static final long SEED = 23;
  private static final int FORKS = 8;
  private static final Measure RATE = new Measure("rate", "rate", "/s", Better.HIGHER);
  private static final Measure TIME = new Measure("time p50", "p50", "ms", Better.LOWER);
  private static final Measure OWN = new Measure("own", "own", "ms", Better.LOWER);
  private static final Measure COUNT = new Measure("count", "count", "a run", Better.NEITHER);
  private static final List<MeasureGroup> GROUPS =
      List.of(
          new MeasureGroup("Speed", "How fast <it> is.", Place.EVERYWHERE, List.of(RATE, TIME)),
          new MeasureGroup("Own part", "Its own.", Place.EVERYWHERE, List.of(OWN)),
          new MeasureGroup("The runs", "What went on.", Place.PAGE, List.of(COUNT)));
  private static final List<String> REFERENCES = List.of("Base", "Other", "Absent");

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  /** Forks whose rate, time and own time are factors of the baseline's; own time 0 is kept 0. */
  private Measured column(String label, double rate, double time, double own, boolean metered) {
    List<Map<Measure, Figure>> forks = new ArrayList<>();
    for (int fork = 0; fork < FORKS; fork++) {
      Map<Measure, Figure> figures = new LinkedHashMap<>();
      figures.put(RATE, new Figure(1000 * rate * noise(), List.of(1.0, 2.0)));
      figures.put(TIME, Figure.of(20 * time * noise()));
      if (metered) {
        figures.put(OWN, Figure.of(3 * own * noise()));
      }
      figures.put(COUNT, Figure.of(7));
      forks.add(figures);
    }
    return new Measured(label, forks);
  }

  private double noise() {
    return Math.exp(0.004 * random.nextGaussian());
  }

  private Results results() {
    List<Measured> columns =
        List.of(
            column("Base", 1, 1, 1, true),
            column("Base (again)", 1, 1, 1, true),
            column("Base (no meter)", 1, 1, 1, false),
            column("Other", 1.2, 0.8, 0, true));
    MeasureAnalysis analysis = new MeasureAnalysis("test", columns, GROUPS, REFERENCES, SEED);
    return new Results(
        Map.of("cpu", "a & b"), analysis.results(), analysis.ratios(), List.of(), List.of());
  }

  private static String verdict(Results results, String directory, Measure measure) {
    return results.ratio(directory, "Base", measure.task()).orElseThrow().verdict();
  }

  @Test
  void lessTimeIsFasterAndMoreRateIsFaster() {
    Results results = results();
    assertEquals("faster", verdict(results, "Other", RATE));
    assertEquals("faster", verdict(results, "Other", TIME));
    assertEquals(0.8, results.ratio("Other", "Base", "time p50").orElseThrow().ratio(), 0.01);
    assertEquals("slower", results.ratio("Base", "Other", "time p50").orElseThrow().verdict());
    assertEquals("slower", results.ratio("Base", "Other", "rate").orElseThrow().verdict());
    assertEquals("same", verdict(results, "Base (again)", TIME));
  }

  @Test
  void whatWasNotMeasuredOrIsZeroHasNoRatio() {
    Results results = results();
    assertTrue(results.result("Base (no meter)", "own").isEmpty());
    assertTrue(results.ratio("Base (no meter)", "Base", "own").isEmpty());
    Result zero = results.result("Other", "own").orElseThrow();
    assertEquals(0, zero.median());
    assertNull(zero.interval95());
    assertTrue(results.ratio("Other", "Base", "own").isEmpty());
    assertTrue(results.ratio("Other", "Base", "count").isEmpty());
    assertEquals(7, results.result("Other", "count").orElseThrow().median());
    assertEquals(FORKS, results.result("Base", "rate").orElseThrow().samples().size());
    assertEquals(
        List.of(1.0, 2.0), results.result("Base", "rate").orElseThrow().repetitions().get(3));
    assertEquals(List.of(), results.result("Base", "time p50").orElseThrow().repetitions());
  }

  private static String line(List<String> lines, String start, int number) {
    return lines.stream().filter(l -> l.startsWith(start)).toList().get(number);
  }

  @Test
  void tablesMarkWhatIsBetter() {
    List<String> lines = new MeasureText(results(), GROUPS, REFERENCES).lines();
    String other = line(lines, "Other", 0);
    assertTrue(
        other.matches(
            "Other +1,\\d\\d\\d +1\\.\\d\\d \\+-\\.0\\d > +1\\d\\.\\d +0.\\d\\d \\+-.0\\d >"),
        other);
    String own = line(lines, "Base (no meter)", 1);
    assertTrue(own.matches("Base \\(no meter\\) +-"), own);
    assertTrue(lines.contains("Ratio to Other"));
    assertTrue(line(lines, "Base ", 6).contains("<"), line(lines, "Base ", 6));
    assertFalse(String.join("\n", lines).contains("count"), "the runs are told on the page alone");
    assertFalse(String.join("\n", lines).contains("Absent"));
  }

  @Test
  void filesHoldTheSamplesAndThePageItsCharts() throws IOException {
    Results results = results();
    MeasureReport report = new MeasureReport(results, GROUPS, REFERENCES, List.of("A note."));
    report.write(folder, "A title", List.of("A remark."));
    Results read = Results.read(folder.resolve("results.json"));
    Presentation page = Objects.requireNonNull(read.page());
    assertEquals(results.shown(page), read);
    assertEquals("A title", page.title());
    assertEquals(GROUPS.size(), page.groups().size());
    String html = Files.readString(folder.resolve("report.html"));
    assertTrue(html.contains("How fast &lt;it&gt; is.") && html.contains("a &amp; b"));
    assertTrue(html.contains("A remark."));
    // Rate and time to Base and to Other, own to Base; Other's own is 0.
    assertEquals(5, html.split("<svg", -1).length - 1);
    assertEquals(5, html.split("<h3>", -1).length - 1);
    StringWriter out = new StringWriter();
    report.print(new PrintWriter(out), folder, List.of("A remark."));
    assertTrue(out.toString().startsWith("A note."));
    assertTrue(out.toString().contains("A remark.\n\nWritten: " + folder.resolve("results.json")));
  }
}
