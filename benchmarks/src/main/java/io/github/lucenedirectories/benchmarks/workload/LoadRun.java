package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.LoadClient;
import io.github.lucenedirectories.benchmarks.load.RateGrid;
import io.github.lucenedirectories.benchmarks.load.Step;
import io.github.lucenedirectories.benchmarks.load.StepResult;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Pace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** All that one client asks of one server, step by step. For one thread, once. */
final class LoadRun {
  private static final double MILLIS = 1e3;
  private static final double SETTLE_SHARE = 0.1;
  private static final double MOST_SETTLE_SECONDS = 1;

  /* How long to wait for late answers. After that a server is only known to be behind. */
  private static final double PATIENCE_SECONDS = 2;
  private static final double LONG_PATIENCE_SECONDS = 10;

  /* Where a search begins that knows nothing yet. */
  private static final double FIRST_RATE = 128;

  /*
   * How often the rate in common is halved for the warm-up and the start of a search. A server that
   * has just started falls behind at rates that it holds when it is warm, and a search does not come
   * back to a rate that was refused.
   */
  private static final int COLD_OCTAVES = 3;

  private final Pace pace;
  private final @Nullable Integer known;
  private final long seed;
  private final int queries;
  private final LoadClient client;
  private final Begin begin;
  private final List<StepResult> steps = new ArrayList<>();
  private @Nullable Double capacity;
  private @Nullable Integer common;

  /** Called when a step at a given rate begins. */
  interface Begin {
    void begun() throws IOException;
  }

  /**
   * @param known the place in the rate grid of the rate in common; null if it is not known yet
   * @param queries how many the server has
   */
  LoadRun(
      Pace pace, @Nullable Integer known, long seed, int queries, LoadClient client, Begin begin) {
    this.pace = pace;
    this.known = known;
    this.seed = seed;
    this.queries = queries;
    this.client = client;
    this.begin = begin;
  }

  /** The place at which a search begins. */
  static int start(@Nullable Integer known) {
    return known == null
        ? RateGrid.place(FIRST_RATE)
        : Math.max(0, known - COLD_OCTAVES * RateGrid.STEPS);
  }

  /** Warms the server up and measures. */
  void run() throws IOException {
    int start = start(known);
    boolean searches = pace.rates().isEmpty();
    double first = searches ? RateGrid.rate(start) : pace.rates().get(0);
    step(first, pace.warmupSeconds(), PATIENCE_SECONDS);
    if (searches) {
      search(start);
    } else {
      for (double rate : pace.rates()) {
        begin.begun();
        boolean held = step(rate, pace.stepSeconds(), LONG_PATIENCE_SECONDS);
        if (held && (capacity == null || rate > capacity)) {
          capacity = rate;
        }
      }
    }
  }

  private void search(int start) throws IOException {
    // Every server gets one search for its capacity: the better of two would be too high.
    OptionalInt found = capacityFrom(start);
    capacity = found.isPresent() ? RateGrid.rate(found.getAsInt()) : null;
    int place;
    if (known == null) {
      // All columns will be compared at half of this one, so no disturbance may decide it.
      OptionalInt again = capacityFrom(found.orElse(start));
      int best = Math.max(found.orElse(0), again.orElse(0));
      place = Math.max(0, best - RateGrid.STEPS);
    } else {
      place = known;
    }
    common = place;
    step(RateGrid.rate(place), pace.commonSeconds(), LONG_PATIENCE_SECONDS);
  }

  private OptionalInt capacityFrom(int start) throws IOException {
    return new CapacitySearch(
            place -> step(RateGrid.rate(place), pace.stepSeconds(), PATIENCE_SECONDS),
            pace.finest())
        .run(start);
  }

  private boolean step(double rate, double seconds, double patienceSeconds) throws IOException {
    double limitSeconds = pace.limitMillis() / MILLIS;
    StepResult result =
        client.run(
            new Step(
                rate,
                Math.min(MOST_SETTLE_SECONDS, seconds * SETTLE_SHARE),
                seconds,
                queries,
                Math.max(patienceSeconds, 2 * limitSeconds),
                seed * 31 + steps.size()));
    steps.add(result);
    return result.holds(limitSeconds);
  }

  /** All steps, the warm-up first. */
  List<StepResult> steps() {
    return steps;
  }

  /** The highest rate that was held; null if there was none. */
  @Nullable Double capacity() {
    return capacity;
  }

  /** The place of the rate in common; null if the rates were given. */
  @Nullable Integer common() {
    return common;
  }
}
