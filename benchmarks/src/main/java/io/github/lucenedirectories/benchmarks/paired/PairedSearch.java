// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.workload.HitsCheck;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A fork in which all directories take turns. In a round each kind of query comes once, in a new
 * order, and within a kind each directory has one turn, also in a new order: what slows the machine
 * for a moment slows neighbouring turns alike, and the ratio of two turns of a round is little
 * moved by it.
 *
 * @param seconds the least time that is measured
 * @param warmupSeconds the most time before it: warm-up ends with a round in which the JIT compiler
 *     had little to do
 */
record PairedSearch(
    Prepared prepared,
    List<Column> columns,
    int threads,
    double warmupSeconds,
    double seconds,
    double turnSeconds,
    long seed,
    String scratch)
    implements Fork.Job<PairedSearch.Found> {

  /** The setting of a column whose queries take longer by this share. */
  static final String SLOWDOWN = "slowdown";

  /** The setting of a column with the class path of another build of this library. */
  static final String CLASS_PATH = "classPath";

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  /* Of the time of a round: with less the code is as good as compiled. */
  private static final double COMPILED = 0.02;
  private static final int MIN_ROUNDS = 3;

  /** What was measured of each column, in their order. */
  record Found(List<PairedSamples> columns) {}

  @Override
  public Found run(Fork fork) throws IOException {
    List<Contender> contenders = opened();
    for (Contender contender : contenders) {
      fork.send(HitsCheck.ANSWERED, Fork.MAPPER.readTree(call(contender::answers)));
    }
    fork.await();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Turns warmup = new Turns(contenders, pool);
    long start = System.nanoTime();
    double compiling = 1;
    for (int round = 0;
        seconds(start) < warmupSeconds && (round < MIN_ROUNDS || compiling > COMPILED);
        round++) {
      Compiling before = Compiling.now();
      warmup.round(new Random(seed - round));
      compiling = before.share();
    }
    double warmedUp = seconds(start);
    Turns turns = new Turns(contenders, pool);
    Random random = new Random(seed);
    Compiling before = Compiling.now();
    start = System.nanoTime();
    for (int round = 0; round < MIN_ROUNDS || seconds(start) < seconds; round++) {
      turns.round(random);
    }
    return turns.found(warmedUp, before.share());
  }

  /** Opens all in a random order: the first one loads more, and is compiled first. */
  private List<Contender> opened() throws IOException {
    List<Column> order = new ArrayList<>(columns);
    Collections.shuffle(order, new Random(seed));
    Map<Column, Contender> contenders = new HashMap<>();
    for (Column column : order) {
      Contender contender = open(column, Path.of(scratch, "" + contenders.size()));
      call(contender::answers);
      contenders.put(column, contender);
    }
    return columns.stream().map(contenders::get).toList();
  }

  Contender open(Column column, Path folder) throws IOException {
    ContenderLoader loader = ContenderLoader.create(column.settings().getOrDefault(CLASS_PATH, ""));
    Thread.currentThread().setContextClassLoader(loader);
    return call(
        () ->
            (Contender)
                loader
                    .loadClass(SearchContender.class.getName())
                    .getConstructors()[0]
                    .newInstance(
                        column.variant(),
                        Path.of(prepared.index()),
                        Fork.folder(column.named(Use.SEARCH), folder),
                        Path.of(prepared.tasks()),
                        prepared.field(),
                        threads,
                        Double.valueOf(column.settings().getOrDefault(SLOWDOWN, "0"))));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / NANOS;
  }

  private static <T> T call(Callable<T> call) throws IOException {
    try {
      return call.call();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e.getCause() == null ? e : e.getCause());
    }
  }

  /** The time that the JIT compiler had worked at a moment. */
  private record Compiling(long nanos, long millis) {
    static Compiling now() {
      CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
      return new Compiling(System.nanoTime(), compiler.getTotalCompilationTime());
    }

    /** Its share of the time since then. */
    double share() {
      Compiling now = now();
      return (now.millis - millis) / MILLIS / ((now.nanos - nanos) / NANOS);
    }
  }

  /** The rates of all turns. */
  private final class Turns {
    private final List<Contender> contenders;
    private final ExecutorService pool;
    private final List<Map<String, List<Double>>> rates = new ArrayList<>();
    private final double[] turnSecondsOf;
    private final double[] collectionSecondsOf;

    Turns(List<Contender> contenders, ExecutorService pool) {
      this.contenders = contenders;
      this.pool = pool;
      turnSecondsOf = new double[contenders.size()];
      collectionSecondsOf = new double[contenders.size()];
      contenders.forEach(_ -> rates.add(new LinkedHashMap<>()));
    }

    void round(Random random) throws IOException {
      List<String> kinds = new ArrayList<>(prepared.kinds());
      Collections.shuffle(kinds, random);
      List<Integer> order = new ArrayList<>();
      contenders.forEach(_ -> order.add(order.size()));
      for (String kind : kinds) {
        Collections.shuffle(order, random);
        for (int i : order) {
          long start = System.nanoTime();
          long collected = ProcessReading.collectionMillis();
          double rate = turn(contenders.get(i), kind);
          rates.get(i).computeIfAbsent(kind, _ -> new ArrayList<>()).add(rate);
          turnSecondsOf[i] += seconds(start);
          collectionSecondsOf[i] += (ProcessReading.collectionMillis() - collected) / MILLIS;
        }
      }
    }

    /** All contenders use the same threads, so that none is tied to a processor that is busy. */
    private double turn(Contender contender, String kind) throws IOException {
      long nanos = (long) (turnSeconds * NANOS);
      if (threads == 1) {
        return call(() -> contender.turn(0, kind, nanos));
      }
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Callable<Double>> turns = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int searcher = i;
        turns.add(
            () -> {
              start.await();
              return contender.turn(searcher, kind, nanos);
            });
      }
      double rate = 0;
      for (Future<Double> turn : call(() -> pool.invokeAll(turns))) {
        rate += call(turn::get);
      }
      return rate;
    }

    Found found(double warmedUp, double compiling) {
      List<PairedSamples> all = new ArrayList<>();
      for (int i = 0; i < contenders.size(); i++) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (String kind : prepared.kinds()) {
          values.put(
              kind,
              rate(
                  Objects.requireNonNull(rates.getFirst().get(kind)),
                  Objects.requireNonNull(rates.get(i).get(kind))));
        }
        all.add(
            new PairedSamples(
                values,
                rates.get(i),
                contenders.get(i).allocatedBytes(),
                collectionSecondsOf[i] / turnSecondsOf[i],
                warmedUp,
                compiling,
                contenders.get(i).directory()));
      }
      return new Found(all);
    }
  }

  /** The baseline's median rate, times the middle of the ratios to it, turn by turn. */
  static double rate(List<Double> baseline, List<Double> turns) {
    double[] ratios = new double[turns.size()];
    Arrays.setAll(ratios, i -> Math.log(turns.get(i) / baseline.get(i)));
    return Medians.of(baseline) * Math.exp(Medians.middleHalf(ratios));
  }
}
