package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Presentation.Group;
import io.github.lucenedirectories.benchmarks.results.Presentation.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.At;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Made-up results of a load test of several directories, with everything that a page can show. */
final class SampleResults {
  static final String LIMIT_TASK = "p99 by rate";
  static final double LIMIT = 12;

  private static final int FORKS = 5;
  private static final List<String> DIRECTORIES =
      List.of(
          "MMapDirectory",
          "MMapDirectory (again)",
          "RamDirectory",
          "HybridDirectory",
          "A directory <with> a long name & marks",
          "NioDirectory",
          "BlockCacheDirectory[64KiB,50%]",
          "NrtCacheDirectory");

  private SampleResults() {}

  /**
   * All results.
   *
   * @param workload its name
   * @param factor of every latency
   */
  static Results of(String workload, double factor) {
    Random random = new Random(1);
    ForkStatistics statistics = new ForkStatistics(FORKS, 1);
    List<Result> results = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    List<Latencies> latencies = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    double[] base = new double[0];
    for (String directory : DIRECTORIES) {
      double own = factor * (1 + results.size() / 3.0);
      double[] samples = random.doubles(FORKS, own * 0.95, own * 1.05).toArray();
      base = base.length == 0 ? samples : base;
      results.add(
          Result.of(
              workload,
              directory,
              "query p99",
              "ms",
              statistics.median(samples),
              samples,
              List.of()));
      if (!directory.equals(DIRECTORIES.get(0))) {
        var ratio =
            statistics.ratios(Map.of("query p99", samples), Map.of("query p99", base)).mean();
        ratios.add(
            Ratio.of(
                workload,
                directory,
                DIRECTORIES.get(0),
                "query p99",
                ratio,
                ratio.verdict().opposite()));
      }
      List<String> histograms = new ArrayList<>();
      for (int fork = 0; fork < FORKS; fork++) {
        Histogram histogram = new Histogram(3);
        for (int i = 0; i < 20_000; i++) {
          histogram.recordValue((long) (own * 1e6 * Math.exp(random.nextGaussian())));
        }
        histograms.add(EncodedHistogram.encode(histogram));
      }
      latencies.add(new Latencies(workload, directory, "query", "ns", histograms));
      series.add(rates(workload, directory, own));
      series.add(seconds(workload, directory, own, random));
    }
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("cpu", "A processor");
    environment.put("commit", "0123456789abcdef0123456789abcdef01234567");
    environment.put("command", "./run " + workload + " --a-long-option " + "x/".repeat(100));
    environment.put("seed", 1);
    environment.put("plan", new LinkedHashMap<>(Map.of("seconds", 2, "forks", FORKS)));
    return new Results(environment, results, ratios, List.of(), List.of(), latencies)
        .withSeries(series)
        .shown(
            new Presentation(
                "Made up <for> a test",
                List.of("A note & more."),
                List.of(DIRECTORIES.get(0)),
                List.of(
                    new Group(
                        "Latency",
                        "What it means.",
                        true,
                        false,
                        List.of(new Shown("query p99", "p99", "ms", Better.LOWER))))));
  }

  private static Series rates(String workload, String directory, double own) {
    List<At> points = new ArrayList<>();
    for (int rate = 500; rate <= 4000; rate += 500) {
      double millis = own / (1.05 - rate / 4000.0);
      points.add(new At(rate, List.of(millis, millis * 1.1, millis * 0.95)));
    }
    return new Series(workload, directory, LIMIT_TASK, "requests/s", "ms", LIMIT, points);
  }

  private static Series seconds(String workload, String directory, double own, Random random) {
    List<At> points = new ArrayList<>();
    for (int second = 1; second <= 40; second++) {
      points.add(new At(second, List.of(own * random.nextDouble(1, 2))));
    }
    return new Series(workload, directory, "slowest reopen", "seconds", "ms", null, points);
  }
}
