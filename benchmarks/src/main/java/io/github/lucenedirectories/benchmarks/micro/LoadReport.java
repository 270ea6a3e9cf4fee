package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The rates of loads and of bare reads, and what a loaded directory takes. */
final class LoadReport {
  /** The columns' names, as directories of the results. */
  static final String LOAD = "RamDirectory.load";

  static final String READ = "pread, fresh memory";
  static final String READ_AGAIN = "pread, same memory again";

  private static final String TASK = "load";
  private static final String UNIT = "MiB/s";
  private static final double BYTES_A_UNIT = 1 << 20;

  private final List<LoadTimes> times;
  private final ForkResults forkResults;

  /**
   * A report.
   *
   * @param times one for each fork
   * @param seed of the resampling
   */
  LoadReport(List<LoadTimes> times, long seed) {
    this.times = List.copyOf(times);
    this.forkResults = new ForkResults(LoadRamJob.NAME, times.size(), seed);
    add(READ, LoadTimes::read);
    add(LOAD, LoadTimes::load);
    add(READ_AGAIN, LoadTimes::readAgain);
    forkResults.compare(LOAD, READ, TASK);
    forkResults.compare(READ_AGAIN, READ, TASK);
  }

  private void add(String column, Function<LoadTimes, List<Double>> seconds) {
    List<List<Double>> rates = new ArrayList<>();
    for (LoadTimes fork : times) {
      double units = fork.bytes() / BYTES_A_UNIT;
      rates.add(seconds.apply(fork).stream().map(s -> units / s).toList());
    }
    forkResults.add(column, TASK, UNIT, rates.stream().map(Medians::of).toList(), rates);
  }

  /** By how much the heap grew, in the fork where it was most. */
  long heapGrowthBytes() {
    return times.stream().mapToLong(LoadTimes::heapGrowthBytes).max().orElse(0);
  }

  /** What is not a rate, for {@code results.json}. */
  Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("files", times.getFirst().files());
    facts.put("bytes", times.getFirst().bytes());
    facts.put("heapGrowthBytes", times.stream().map(LoadTimes::heapGrowthBytes).toList());
    facts.put("loadedHugeBytes", times.stream().map(LoadTimes::loadedHugeBytes).toList());
    facts.put("readHugeBytes", times.stream().map(LoadTimes::readHugeBytes).toList());
    return facts;
  }

  /** Every sample, with the facts about where it was measured. */
  Results results(Map<String, Object> environment) {
    return forkResults.asResults(environment);
  }

  /** The table for a person. */
  List<String> lines() {
    TextTable table = new TextTable();
    table.add(List.of("", UNIT, "", "ratio", ""));
    for (String column : List.of(READ, LOAD, READ_AGAIN)) {
      Result result = forkResults.result(column, TASK);
      List<String> row =
          new ArrayList<>(
              List.of(
                  column,
                  Numbers.rate(result.median()),
                  Numbers.plusMinusPercent(result.median(), result.interval95())));
      row.addAll(forkResults.ratioCells(column, TASK));
      table.add(row);
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "Median over "
            + times.size()
            + " JVMs, +- half its 95 % interval; ratio to the read into fresh memory");
    lines.addAll(table.lines());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT, "Live heap grown by a loaded directory: %,d bytes", heapGrowthBytes()));
    lines.add(
        "In huge pages: "
            + Numbers.bytes(times.getFirst().loadedHugeBytes())
            + " of the loaded directory, "
            + Numbers.bytes(times.getFirst().readHugeBytes())
            + " of the memory read into, of "
            + Numbers.bytes(times.getFirst().bytes()));
    return lines;
  }
}
