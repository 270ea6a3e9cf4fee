// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.LoadClient;
import io.github.lucenedirectories.benchmarks.load.StepClock;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
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

  private final LoadWorkload plan;
  private final long seed;
  private final LoadClient client;
  private final Welcome welcome;
  private final List<StepResult> steps = new ArrayList<>();

  LoadRun(LoadWorkload plan, long seed, LoadClient client) throws IOException {
    this.plan = plan;
    this.seed = seed;
    this.client = client;
    this.welcome = LoadSession.JSON.readValue(client.welcome(), Welcome.class);
  }

  static int start(@Nullable Integer known) {
    return known == null
        ? CapacitySearch.place(FIRST_RATE)
        : Math.max(0, known - COLD_OCTAVES * CapacitySearch.STEPS);
  }

  Samples run() throws IOException {
    client.begin();
    double stepSeconds = plan.values().seconds();
    int start = start(plan.common);
    double first = plan.rates.isEmpty() ? CapacitySearch.rate(start) : plan.rates.get(0);
    step(first, plan.values().warmupSeconds(), PATIENCE_SECONDS);
    Double capacity = null;
    Integer common = plan.common;
    if (plan.rates.isEmpty()) {
      // Every server gets one search for its capacity: the better of two would be too high.
      OptionalInt found = capacityFrom(start);
      capacity = found.isPresent() ? CapacitySearch.rate(found.getAsInt()) : null;
      common = common == null ? halfOfTheBetter(found, start) : common;
      step(CapacitySearch.rate(common), 2 * stepSeconds, LONG_PATIENCE_SECONDS);
    }
    for (double rate : plan.rates) {
      boolean held = step(rate, stepSeconds, LONG_PATIENCE_SECONDS);
      capacity = held && (capacity == null || rate > capacity) ? Double.valueOf(rate) : capacity;
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
    double seconds = plan.values().seconds();
    return new CapacitySearch(
            place -> step(CapacitySearch.rate(place), seconds, PATIENCE_SECONDS), plan.finest)
        .run(start);
  }

  /** Whether the server held the rate. */
  private boolean step(double rate, double seconds, double patienceSeconds) throws IOException {
    double limitSeconds = plan.limitMillis / MILLIS;
    StepClock clock =
        new StepClock(
            rate,
            Math.min(MOST_SETTLE_SECONDS, seconds * SETTLE_SHARE),
            seconds,
            welcome.queries(),
            seed * 31 + steps.size());
    StepResult result = client.run(clock, Math.max(patienceSeconds, 2 * limitSeconds));
    steps.add(result);
    return result.holds(limitSeconds);
  }
}
