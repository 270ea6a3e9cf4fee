package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.LoadClient;
import io.github.lucenedirectories.benchmarks.load.Step;
import io.github.lucenedirectories.benchmarks.load.StepResult;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Pace;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Samples;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Summary;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload.Welcome;
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
  private final LoadClient client;
  private final Welcome welcome;
  private final List<StepResult> steps = new ArrayList<>();

  /**
   * @param known the place in the grid of the rate in common; null if it is not known yet
   */
  LoadRun(Pace pace, @Nullable Integer known, long seed, LoadClient client) throws IOException {
    this.pace = pace;
    this.known = known;
    this.seed = seed;
    this.client = client;
    this.welcome = LoadSession.JSON.readValue(client.welcome(), Welcome.class);
  }

  /** The place at which a search begins. */
  static int start(@Nullable Integer known) {
    return known == null
        ? CapacitySearch.place(FIRST_RATE)
        : Math.max(0, known - COLD_OCTAVES * CapacitySearch.STEPS);
  }

  /** Warms the server up and measures. */
  Samples run() throws IOException {
    client.begin();
    int start = start(known);
    Double capacity = null;
    Integer common = null;
    if (pace.rates().isEmpty()) {
      step(CapacitySearch.rate(start), pace.warmupSeconds(), PATIENCE_SECONDS);
      // Every server gets one search for its capacity: the better of two would be too high.
      OptionalInt found = capacityFrom(start);
      capacity = found.isPresent() ? CapacitySearch.rate(found.getAsInt()) : null;
      common = known == null ? halfOfTheBetter(found, start) : known;
      step(CapacitySearch.rate(common), 2 * pace.stepSeconds(), LONG_PATIENCE_SECONDS);
    } else {
      step(pace.rates().get(0), pace.warmupSeconds(), PATIENCE_SECONDS);
      for (double rate : pace.rates()) {
        boolean held = step(rate, pace.stepSeconds(), LONG_PATIENCE_SECONDS);
        capacity = held && (capacity == null || rate > capacity) ? Double.valueOf(rate) : capacity;
      }
    }
    Summary summary = LoadSession.JSON.readValue(client.finish(), Summary.class);
    return new Samples(welcome.updatesPerSecond(), steps, capacity, common, summary);
  }

  /** All columns will be compared at this rate, so no disturbance may decide it. */
  private int halfOfTheBetter(OptionalInt found, int start) throws IOException {
    int again = capacityFrom(found.orElse(start)).orElse(0);
    return Math.max(0, Math.max(found.orElse(0), again) - CapacitySearch.STEPS);
  }

  private OptionalInt capacityFrom(int start) throws IOException {
    return new CapacitySearch(
            place -> step(CapacitySearch.rate(place), pace.stepSeconds(), PATIENCE_SECONDS),
            pace.finest())
        .run(start);
  }

  /** Whether the server held the rate. */
  private boolean step(double rate, double seconds, double patienceSeconds) throws IOException {
    double limitSeconds = pace.limitMillis() / MILLIS;
    StepResult result =
        client.run(
            new Step(
                rate,
                Math.min(MOST_SETTLE_SECONDS, seconds * SETTLE_SHARE),
                seconds,
                welcome.queries(),
                Math.max(patienceSeconds, 2 * limitSeconds),
                seed * 31 + steps.size()));
    steps.add(result);
    return result.holds(limitSeconds);
  }
}
