package io.github.lucenedirectories.benchmarks.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.HtmlPage;
import io.github.lucenedirectories.benchmarks.report.StandaloneSvg;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages in a real browser. Its pictures are left in {@code target/screenshots}. Skipped where
 * no Chromium is installed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageInBrowserTest {
  private static final int DESK = 1280;
  private static final int PHONE = 390;
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Path RUNS = MODULE.resolveSibling("docs").resolve("benchmarks");
  private static final Path PICTURES = MODULE.resolve("target").resolve("screenshots");

  @TempDir private Path folder;
  private @Nullable Browser browser;

  @BeforeAll
  void start(@TempDir Path profile) throws IOException, InterruptedException {
    Optional<Path> program = Browser.find();
    String missing =
        "NO PAGE WAS LOOKED AT: no Chromium on the PATH; install one: apt-get install chromium";
    if (program.isEmpty()) {
      System.err.println(missing);
    }
    assumeTrue(program.isPresent(), missing);
    browser = new Browser(program.get(), profile);
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private Browser browser() {
    return Objects.requireNonNull(browser);
  }

  private static String script() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PageInBrowserTest.class.getResourceAsStream("look.js"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Looks at a page on a desk and on a phone, light and dark; returns what is wrong. */
  private List<String> look(String name, Path page) throws IOException, InterruptedException {
    List<String> wrong = new ArrayList<>();
    for (int width : new int[] {DESK, PHONE}) {
      for (boolean dark : new boolean[] {false, true}) {
        wrong.addAll(look(name, page, width, dark));
      }
    }
    return wrong;
  }

  private List<String> look(String name, Path page, int width, boolean dark)
      throws IOException, InterruptedException {
    List<String> wrong = new ArrayList<>();
    String where = name + "-" + width + (dark ? "-dark" : "-light");
    browser().open(page, width, dark);
    browser().screenshot(PICTURES.resolve(where + ".png"));
    for (JsonNode each : browser().evaluate(script())) {
      wrong.add(where + ": " + each.asText());
    }
    browser().evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
    JsonNode over =
        browser()
            .evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if (over.asInt() > 0) {
      wrong.add(where + ": with its numbers open the page is too wide by " + over);
    }
    browser().complaints().forEach(complaint -> wrong.add(where + ": " + complaint));
    return wrong;
  }

  private static void assertFine(List<String> wrong) {
    assertEquals("", String.join("\n", wrong));
  }

  @Test
  void everythingThatAPageCanShow() throws IOException, InterruptedException {
    Results results = SampleResults.of("load", 1);
    Path page = folder.resolve("sample.html");
    new RunPage(results).write(page);
    assertFine(look("sample", page));
    JsonNode figures = browser().evaluate("document.querySelectorAll('figure svg').length");
    assertEquals(new RunPage(results).figures().size(), figures.asInt());
    assertTrue(figures.asInt() >= 4, "charts: " + figures);
    assertEquals(1, browser().evaluate("document.querySelectorAll('svg .limit').length").asInt());
  }

  @Test
  void runsSideBySide() throws IOException, InterruptedException {
    Path page = folder.resolve("runs.html");
    new RunsPage(
            List.of(
                new Run("A one", Path.of("one"), SampleResults.of("load", 1)),
                new Run("B two", Path.of("two"), SampleResults.of("load", 1.3))))
        .write(page);
    assertFine(look("runs", page));
    String ratio = browser().evaluate("document.querySelector('td.slower').textContent").asText();
    assertTrue(ratio.startsWith("1.30"), ratio);
  }

  @Test
  void coverageOfManyComparisons() throws IOException, InterruptedException {
    Path page = folder.resolve("coverage.html");
    new RunPage(CoverageSectionTest.results(200, 0.95)).write(page);
    assertFine(look("coverage", page));
  }

  /** What the project itself has published: each width once, in one of the colours. */
  @Test
  void everyPublishedRun() throws IOException, InterruptedException {
    List<Path> runs;
    try (Stream<Path> files = Files.walk(RUNS)) {
      runs = files.filter(f -> f.toString().endsWith("results.json")).sorted().toList();
    }
    assertTrue(runs.size() >= 5, "runs: " + runs);
    List<String> wrong = new ArrayList<>();
    for (Path run : runs) {
      String name = RUNS.relativize(run).toString().replace('/', '-').replace(".json", "");
      Path page = folder.resolve(name + ".html");
      new RunPage(Results.read(run)).write(page);
      wrong.addAll(look(name, page, DESK, false));
      wrong.addAll(look(name, page, PHONE, true));
    }
    assertFine(wrong);
  }

  @Test
  void chartsBecomePictures() throws IOException, InterruptedException {
    Path page = folder.resolve("png.html");
    new RunPage(SampleResults.of("load", 1)).write(page);
    for (boolean dark : new boolean[] {false, true}) {
      browser().open(page, DESK, dark);
      BufferedImage image = png("png(document.querySelector('figure svg'))");
      assertEquals(3 * 360, image.getWidth());
      int paper = image.getRGB(2, image.getHeight() - 2) & 0xffffff;
      assertEquals(dark ? 0x14181f : 0xffffff, paper, Integer.toHexString(paper));
      assertTrue(colours(image) > 20, "lines and labels in their colours: " + colours(image));
    }
    assertEquals(List.of(), browser().complaints());
  }

  @Test
  void chartFilesAreDrawnWithoutThePage() throws IOException, InterruptedException {
    for (ChartFigure figure : new RunPage(SampleResults.of("load", 1)).figures()) {
      Path file = Files.writeString(folder.resolve("chart.svg"), StandaloneSvg.of(figure));
      browser().open(file, DESK, true);
      assertEquals("svg", browser().evaluate("document.documentElement.tagName").asText());
      assertEquals(List.of(), browser().complaints());
      String colour =
          browser().evaluate("getComputedStyle(document.querySelector('g circle')).fill").asText();
      assertNotEquals("rgb(0, 0, 0)", colour, "styled without variables");
      assertTrue(!Files.readString(file).contains("var("), figure.title());
    }
  }

  @Test
  void buttonChangesTheTheme() throws IOException, InterruptedException {
    Path page = folder.resolve("theme.html");
    new RunPage(SampleResults.of("load", 1)).write(page);
    String paper = "getComputedStyle(document.body).backgroundColor";
    browser().open(page, PHONE, false);
    String light = browser().evaluate(paper).asText();
    String dark = browser().evaluate("document.querySelector('#theme').click();" + paper).asText();
    assertEquals("rgb(255, 255, 255)", light);
    assertEquals("rgb(20, 24, 31)", dark);
    assertEquals(
        light, browser().evaluate("document.querySelector('#theme').click();" + paper).asText());
  }

  /** The looking itself: a page with every fault that it is to find. */
  @Test
  void faultsAreSeen() throws IOException, InterruptedException {
    Path page = folder.resolve("faults.html");
    String wide = "<div style='width:2000px'>wide</div>";
    String faint = "<p style='color:#888'>faint</p>";
    String svg =
        "<figure><svg viewBox='0 0 360 100'><g class='s1'><circle cx='400' cy='9' r='3'/></g>"
            + "<text x='20' y='20'>one</text><text x='25' y='22'>other</text></svg></figure>";
    String empty = "<figure><svg viewBox='0 0 360 100'></svg></figure>";
    String log = "<script>console.error('a complaint')</script>";
    new HtmlPage(
            "t",
            List.of(),
            List.of(html -> html.append(wide).append(faint).append(svg).append(empty).append(log)),
            Map.of())
        .write(page);
    List<String> found = look("faults", page);
    String wrong = String.join("\n", found);
    for (int width : new int[] {DESK, PHONE}) {
      String where = "faults-" + width + "-light: the page is 20";
      assertTrue(found.stream().anyMatch(f -> f.startsWith(where)), where + " in\n" + wrong);
    }
    for (String fault :
        List.of(
            "hard to read",
            "outside of its chart",
            "label over \"one\"",
            "no values",
            "a complaint")) {
      assertTrue(wrong.contains(fault), fault + " in\n" + wrong);
    }
  }

  private BufferedImage png(String script) throws IOException, InterruptedException {
    String url = browser().evaluate(script).asText();
    String start = "data:image/png;base64,";
    assertTrue(url.startsWith(start), url);
    byte[] bytes = Base64.getDecoder().decode(url.substring(start.length()));
    return ImageIO.read(new ByteArrayInputStream(bytes));
  }

  private static long colours(BufferedImage image) {
    return IntStream.range(0, image.getWidth() * image.getHeight())
        .map(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()))
        .distinct()
        .count();
  }
}
