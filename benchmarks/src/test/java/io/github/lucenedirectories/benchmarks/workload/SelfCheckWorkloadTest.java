package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user types it, forks included. */
class SelfCheckWorkloadTest {
  private static final int COMPARISONS = 2;
  private static final int FORKS = 2;

  @TempDir private Path folder;

  private EndedCommand run(String arguments) {
    return EndedCommand.run("self-check", folder.resolve("out"), arguments.split(" ", -1));
  }

  @Test
  void inputIsRefusedInOneLine() {
    run("--comparisons 0").assertRefused("--comparisons must be more than 0: 0");
    run("--forks 1").assertRefused("--forks must be at least 2: one fork has no interval");
  }

  @Test
  void comparisonsHaveForksOfTheirOwnAndAreCounted() throws IOException {
    Set<String> before = EndedCommand.temporaryFiles();
    EndedCommand ended =
        run(
            "--kinds MedTerm,PKLookup --queries 2 --warmup 0 --seconds 0.05"
                + " --comparisons "
                + COMPARISONS
                + " --forks "
                + FORKS
                + " --docs "
                + SampleText.lineFile(folder.resolve("a.tsv"), 500));
    ended.assertDone();
    assertEquals(before, EndedCommand.temporaryFiles(), "nothing is left in the temporary folder");
    for (String kind : List.of("MedTerm", "PKLookup", "geometric mean")) {
      assertTrue(ended.out().contains("\n" + kind + " "), kind);
    }
    Path out = folder.resolve("out");
    Results results = Results.read(out.resolve("results.json"));
    assertEquals(List.of("MMapDirectory", "MMapDirectory (again)"), results.directories());
    assertEquals(COMPARISONS * 2 * 2, results.results().size());
    long samples =
        results.results().stream()
            .filter(result -> result.task().startsWith("MedTerm"))
            .flatMap(result -> result.samples().stream())
            .distinct()
            .count();
    assertEquals(COMPARISONS * FORKS * 2, samples, "no fork is in two comparisons");
    checkRatio(results, "MedTerm #2");
    String html = Files.readString(out.resolve("report.html"));
    assertTrue(html.contains("How often the 95 % intervals hold 1.00"));
    assertFalse(
        Pattern.compile("(src|href)=['\"]?http").matcher(html).find(), "the page needs no network");
  }

  /** The ratio is that which compare would make of the same samples. */
  private static void checkRatio(Results results, String task) {
    Estimate expected =
        new ForkStatistics(FORKS, 1)
            .ratio(
                samples(results, "MMapDirectory (again)", task),
                samples(results, "MMapDirectory", task));
    Ratio ratio = results.ratio("MMapDirectory (again)", "MMapDirectory", task).orElseThrow();
    assertEquals(expected.value(), ratio.ratio(), 1e-4);
  }

  private static double[] samples(Results results, String directory, String task) {
    Result result = results.result(directory, task).orElseThrow();
    return result.samples().stream().mapToDouble(Double::doubleValue).toArray();
  }
}
