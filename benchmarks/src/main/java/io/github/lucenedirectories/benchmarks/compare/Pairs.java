package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What {@code compare} compares: everything with the baseline, and counterparts. */
final class Pairs {
  /** Pairs that are compared besides everything with the baseline, where both are there. */
  private static final List<List<BenchmarkDirectory>> COUNTERPARTS =
      List.of(
          List.of(BenchmarkDirectory.RAM, BenchmarkDirectory.BYTE_BUFFERS),
          List.of(BenchmarkDirectory.NIO, BenchmarkDirectory.NIOFS),
          List.of(BenchmarkDirectory.RAM_OVER_MAPPED, BenchmarkDirectory.NRT_CACHING));

  /** A directory of halves, and what each half is alone. */
  private static final List<List<BenchmarkDirectory>> HALVES =
      List.of(
          List.of(
              BenchmarkDirectory.RAM_OVER_MAPPED,
              BenchmarkDirectory.RAM,
              BenchmarkDirectory.MAPPED),
          List.of(
              BenchmarkDirectory.NRT_CACHING,
              BenchmarkDirectory.BYTE_BUFFERS,
              BenchmarkDirectory.MMAP));

  private final Map<Entry, List<SearchSamples>> samples;

  Pairs(Map<Entry, List<SearchSamples>> samples) {
    this.samples = samples;
  }

  /** Everything compared with the baseline, then the counterparts. */
  Analysis analyse(int forks, long seed) {
    Map<String, List<SearchSamples>> labelled = new LinkedHashMap<>();
    samples.forEach((column, each) -> labelled.put(column.label(), each));
    Analysis analysis = new Analysis(CompareCommand.NAME, labelled, forks, seed);
    for (Entry column : samples.keySet()) {
      if (!column.equals(Entry.BASELINE)) {
        analysis.compare(column.label(), Entry.BASELINE.label());
      }
    }
    for (List<BenchmarkDirectory> pair : COUNTERPARTS) {
      compareIfPresent(analysis, alone(pair.get(0)), alone(pair.get(1)));
    }
    for (Entry column : samples.keySet()) {
      if (column.beside() != null && column.directory() != BenchmarkDirectory.BASELINE) {
        compareIfPresent(analysis, column, alone(column.directory()));
      }
    }
    HALVES.forEach(whole -> compareWithHalves(analysis, whole));
    return analysis;
  }

  private static Entry alone(ReadableDirectory directory) {
    return new Entry(directory.label(), directory, null);
  }

  private void compareIfPresent(Analysis analysis, Entry column, Entry other) {
    if (samples.containsKey(column) && samples.containsKey(other)) {
      analysis.compare(column.label(), other.label());
    }
  }

  /** With halves that take no time from each other, times add: so rates have a harmonic mean. */
  private void compareWithHalves(Analysis analysis, List<BenchmarkDirectory> whole) {
    Entry column = alone(whole.get(0));
    Entry first = alone(whole.get(1));
    Entry second = alone(whole.get(2));
    if (!samples.keySet().containsAll(List.of(column, first, second))) {
      return;
    }
    Map<String, double[]> expected = new LinkedHashMap<>();
    Map<String, double[]> others = analysis.rates(second.label());
    analysis
        .rates(first.label())
        .forEach(
            (kind, rates) -> {
              double[] other = Objects.requireNonNull(others.get(kind), kind);
              double[] halves = new double[rates.length];
              for (int i = 0; i < halves.length; i++) {
                halves[i] = 2 / (1 / rates[i] + 1 / other[i]);
              }
              expected.put(kind, halves);
            });
    String label = "half " + first.label() + ", half " + second.label();
    analysis.compare(column.label(), label, expected);
  }
}
