package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.compare.Analysis;
import io.github.lucenedirectories.benchmarks.results.Medians;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is compared under a limit: everything with each baseline, and with the best of them. */
final class LimitPairs {
  /** The label of the rates that are the best baseline's of each kind. */
  static final String BEST = "best baseline";

  private final Map<String, List<LimitSamples>> samples;
  private final List<String> baselines;

  /**
   * @param samples of every column by its label
   * @param baselines labels, the first the baseline of all
   */
  LimitPairs(Map<String, List<LimitSamples>> samples, List<String> baselines) {
    this.samples = samples;
    this.baselines = List.copyOf(baselines);
  }

  /** Compares the rates. */
  Analysis analyse(int forks, long seed) {
    Analysis analysis = new Analysis(LimitJob.NAME, LimitSamples.rates(samples), forks, seed);
    for (String baseline : baselines) {
      for (String label : samples.keySet()) {
        if (!label.equals(baseline)) {
          analysis.compare(label, baseline);
        }
      }
    }
    Map<String, double[]> best = best(analysis);
    for (String label : samples.keySet()) {
      if (!baselines.contains(label)) {
        analysis.compare(label, BEST, best);
      }
    }
    return analysis;
  }

  /** For each kind the rates of the baseline whose median is the highest. */
  private Map<String, double[]> best(Analysis analysis) {
    Map<String, double[]> best = new LinkedHashMap<>();
    for (String baseline : baselines) {
      analysis
          .rates(baseline)
          .forEach(
              (kind, rates) ->
                  best.merge(kind, rates, (a, b) -> Medians.of(b) > Medians.of(a) ? b : a));
    }
    return best;
  }
}
