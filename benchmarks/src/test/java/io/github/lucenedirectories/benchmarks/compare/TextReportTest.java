package io.github.lucenedirectories.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is made of samples whose truth is known: the figures, the marks, the claims. */
class TextReportTest {
  private static final long SEED = 22;
  private static final Entry RAM = Entry.parse("RamDirectory");
  private static final Entry BUFFERS = Entry.parse("ByteBuffersDirectory");
  private static final Entry BESIDE = Entry.parse("RamDirectory+ByteBuffersDirectory");

  /** Two kinds: on RamDirectory one is a fifth faster and one a tenth slower. */
  private static Results results(int forks, double rise) {
    Random random = new Random(SEED);
    Map<Entry, List<SearchSamples>> samples = new LinkedHashMap<>();
    for (Entry column : List.of(Entry.BASELINE, Entry.AGAIN, RAM, BUFFERS, BESIDE)) {
      boolean ram = column.equals(RAM) || column.equals(BESIDE);
      List<SearchSamples> rounds = new ArrayList<>();
      for (int fork = 0; fork < forks; fork++) {
        double half = column.equals(BUFFERS) ? 0.5 : 1;
        rounds.add(
            SearchSamples.of(
                Map.of(
                    "HighTerm", repetitions((ram ? 1200 : 1000) * half, rise, random),
                    "Phrase", repetitions((ram ? 90 : 100) * half, rise, random))));
      }
      samples.put(column, rounds);
    }
    Analysis analysis = new Pairs(samples).analyse(forks, SEED);
    return new Results(
        Map.of(), analysis.results(), analysis.ratios(), analysis.means(), List.of());
  }

  private static List<Double> repetitions(double rate, double rise, Random random) {
    double fork = rate * Math.exp(0.005 * random.nextGaussian());
    return List.of(fork * (1 - rise), fork, fork * (1 + rise));
  }

  private static List<String> lines(Results results) {
    return new TextReport(results, List.of(Entry.BASELINE.label())).lines();
  }

  private static String line(List<String> lines, String start, int number) {
    return lines.stream().filter(l -> l.startsWith(start)).toList().get(number);
  }

  @Test
  void differencesAreMarkedAndNoiseIsNot() {
    List<String> lines = lines(results(12, 0));
    assertTrue(
        line(lines, "HighTerm", 1).matches("HighTerm +(0.99|1.00|1.01) \\+-.0[01] +1.\\d\\d .*>.*"),
        line(lines, "HighTerm", 1));
    String phrase = line(lines, "Phrase", 1);
    assertTrue(
        phrase.matches("Phrase +[01].\\d\\d \\+-.0[01] {2,}0.(89|90|91) \\+-.0[01] <.*"), phrase);
    assertTrue(line(lines, "HighTerm", 0).contains("1,2"), line(lines, "HighTerm", 0));
  }

  @Test
  void claimsNeedForksEnough() {
    List<String> few = lines(results(4, 0));
    assertTrue(few.contains("Intervals corrected for 2 kinds need at least 7 forks (--forks 7)."));
    assertTrue(line(few, "Ram / MMap", 0).endsWith("-"));
    List<String> many = lines(results(12, 0));
    assertTrue(line(many, "Ram / MMap", 0).endsWith("Phrase"), line(many, "Ram / MMap", 0));
    assertTrue(line(many, "MMap (again) / MMap", 0).endsWith("none"));
  }

  @Test
  void counterpartsAndNeighboursAreComparedToo() {
    List<Mean> means = results(8, 0).means();
    assertEquals(
        List.of(
            "MMapDirectory (again) / MMapDirectory",
            "RamDirectory / MMapDirectory",
            "ByteBuffersDirectory / MMapDirectory",
            "RamDirectory+ByteBuffersDirectory / MMapDirectory",
            "RamDirectory / ByteBuffersDirectory",
            "RamDirectory+ByteBuffersDirectory / RamDirectory"),
        means.stream().map(mean -> mean.directory() + " / " + mean.baseline()).toList());
    Mean ram = means.get(4);
    assertEquals(2 * Math.sqrt(1.2 * 0.9), ram.ratio(), 0.03);
    assertEquals("Phrase", ram.lowestTask());
    assertEquals(2, ram.faster());
  }

  @Test
  void coldForksAreTold() {
    assertEquals(0.22, new WarmUp(results(6, 0.1)).rise(), 0.01);
    assertTrue(String.join("\n", lines(results(6, 0.1))).contains("still rose"));
    assertFalse(String.join("\n", lines(results(6, 0))).contains("still rose"));
  }
}
