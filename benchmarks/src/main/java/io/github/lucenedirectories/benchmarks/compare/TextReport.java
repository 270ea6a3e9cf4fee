package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables that a comparison of rates prints: rates, ratios to baselines, and means. */
public final class TextReport {
  private final Results results;
  private final List<String> baselines;
  private final int forks;
  private final List<String> directories;
  private final List<String> kinds;

  /**
   * @param results of rates alone
   * @param baselines labels of what the tables of ratios are relative to
   */
  public TextReport(Results results, List<String> baselines) {
    this.results = results;
    this.baselines = List.copyOf(baselines);
    this.forks = results.results().get(0).samples().size();
    this.directories = results.directories();
    this.kinds = results.tasks();
  }

  /** The lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Queries per second: median over "
            + forks
            + (forks == 1 ? " fork" : " forks, +- half its 95 % interval"));
    lines.addAll(rates().lines());
    for (String baseline : baselines) {
      lines.add("");
      lines.add(
          "Ratio to "
              + baseline
              + ", +- half its 95 % interval; > faster and < slower only where 1.00 lies outside"
              + " it");
      lines.addAll(ratios(baseline).lines());
    }
    lines.add("");
    lines.add("Geometric mean over " + kinds.size() + " kinds");
    lines.addAll(means().lines());
    lines.addAll(remarks());
    return lines;
  }

  private TextTable rates() {
    TextTable table = new TextTable();
    table.add(header(directories));
    for (String kind : kinds) {
      table.add(
          row(
              kind,
              directories.stream()
                  .map(directory -> results.result(directory, kind).orElseThrow())
                  .map(
                      r ->
                          Numbers.rate(r.median())
                              + " "
                              + Numbers.plusMinusPercent(r.median(), r.interval95()))));
    }
    return table;
  }

  private TextTable ratios(String baseline) {
    List<String> others =
        directories.stream().filter(directory -> mean(directory, baseline).isPresent()).toList();
    TextTable table = new TextTable();
    table.add(header(others));
    for (String kind : kinds) {
      table.add(
          row(
              kind,
              others.stream()
                  .map(directory -> cell(results.ratio(directory, baseline, kind).orElseThrow()))));
    }
    table.add(
        row(
            "geometric mean",
            others.stream()
                .map(
                    directory -> {
                      Mean mean = mean(directory, baseline).orElseThrow();
                      return cell(mean.ratio(), mean.interval95());
                    })));
    return table;
  }

  private TextTable means() {
    TextTable table = new TextTable();
    table.add(
        List.of(
            "",
            "ratio",
            "95 % interval",
            "half",
            "faster",
            "slower",
            "lowest kind",
            "widest half",
            "corrected",
            "below " + Analysis.BOUND));
    for (Mean mean : results.means()) {
      Interval interval = mean.interval95();
      table.add(
          List.of(
              shortName(mean.directory()) + " / " + shortName(mean.baseline()),
              Numbers.fineRatio(mean.ratio()),
              Numbers.fineRange(interval),
              interval == null ? "" : Numbers.percent(interval.halfWidth()),
              Integer.toString(mean.faster()),
              Integer.toString(mean.slower()),
              mean.lowestTask() + " " + Numbers.ratio(mean.lowestRatio()),
              percent(mean.widestHalfWidth()),
              percent(mean.widestHalfWidthCorrected()),
              below(mean.tasksBelow())));
    }
    return table;
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    int needed = ForkStatistics.roundsForCorrection(kinds.size());
    if (forks < needed) {
      remarks.add(
          "Intervals corrected for "
              + kinds.size()
              + " kinds need at least "
              + needed
              + " forks (--forks "
              + needed
              + ").");
    } else {
      remarks.add(
          "corrected: half-width of intervals that hold for all "
              + kinds.size()
              + " kinds at once; below: kinds whose corrected interval lies below "
              + Analysis.BOUND
              + ".");
    }
    double rise = new WarmUp(results).rise();
    if (rise > WarmUp.NOTABLE) {
      remarks.add(
          "Speeds still rose by "
              + Numbers.percent(rise)
              + " while they were measured: the JVMs were not warm yet (longer: --warmup).");
    }
    return remarks;
  }

  private static String percent(@Nullable Double share) {
    return share == null ? "-" : Numbers.percent(share);
  }

  private static String below(@Nullable List<String> kinds) {
    if (kinds == null) {
      return "-";
    }
    return kinds.isEmpty() ? "none" : String.join(" ", kinds);
  }

  private static List<String> header(List<String> names) {
    return row("", names.stream().map(TextReport::shortName));
  }

  /** Without the word that every name ends with. */
  private static String shortName(String name) {
    return name.replace("Directory", "");
  }

  private static List<String> row(String first, Stream<String> others) {
    return Stream.concat(Stream.of(first), others).toList();
  }

  private static String cell(Ratio ratio) {
    return cell(ratio.ratio(), ratio.interval95());
  }

  private static String cell(double ratio, @Nullable Interval interval) {
    String mark = " ";
    if (interval != null && !interval.contains(1)) {
      mark = interval.low() > 1 ? ">" : "<";
    }
    return Numbers.ratio(ratio) + " " + Numbers.plusMinus(interval) + " " + mark;
  }

  private Optional<Mean> mean(String directory, String baseline) {
    return results.means().stream()
        .filter(m -> m.directory().equals(directory) && m.baseline().equals(baseline))
        .findFirst();
  }
}
