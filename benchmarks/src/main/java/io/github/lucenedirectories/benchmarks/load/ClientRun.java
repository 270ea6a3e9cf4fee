package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.traffic.CapacitySearch;
import io.github.lucenedirectories.benchmarks.traffic.LoadClient;
import io.github.lucenedirectories.benchmarks.traffic.RateGrid;
import io.github.lucenedirectories.benchmarks.traffic.Step;
import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** All that one client asks of one server, step by step. For one thread, once. */
final class ClientRun {
  private static final double MILLIS = 1e3;
  private static final double SETTLE_SHARE = 0.1;
  private static final double MOST_SETTLE_SECONDS = 1;

  /* So long is waited for late answers: beyond it a server is only known to be behind. */
  private static final double PATIENCE_SECONDS = 2;
  private static final double LONG_PATIENCE_SECONDS = 10;

  private final LoadPlan.Pace pace;
  private final ClientSpec spec;
  private final LoadClient client;
  private final Begin begin;
  private final double limitSeconds;
  private final List<StepResult> steps = new ArrayList<>();
  private int queries;

  /** Told when a step of given rates begins. */
  interface Begin {
    void begun() throws IOException;
  }

  ClientRun(ClientSpec spec, LoadClient client, Begin begin) {
    this.spec = spec;
    this.pace = spec.pace();
    this.client = client;
    this.begin = begin;
    this.limitSeconds = pace.limitMillis() / MILLIS;
  }

  /** Warms up, measures, and asks the server what it has seen. */
  LoadCell run() throws IOException {
    Welcome welcome = LoadJson.read(client.welcome(), Welcome.class);
    queries = welcome.queries();
    double first = pace.rates().isEmpty() ? RateGrid.rate(spec.start()) : pace.rates().get(0);
    step(first, pace.warmupSeconds(), PATIENCE_SECONDS);
    Double capacity;
    Integer common = null;
    if (pace.rates().isEmpty()) {
      // One search, as for every other server: the better of two would be high beside theirs.
      OptionalInt place = search(spec.start());
      capacity = place.isPresent() ? RateGrid.rate(place.getAsInt()) : null;
      if (spec.common() == null) {
        // All columns will be compared at a rate made of this one: no disturbance may decide it.
        OptionalInt again = search(place.orElse(spec.start()));
        place = again.orElse(-1) > place.orElse(-1) ? again : place;
      }
      common = common(place);
      step(RateGrid.rate(common), pace.commonSeconds(), LONG_PATIENCE_SECONDS);
    } else {
      capacity = measureRates();
    }
    ServerSummary summary = LoadJson.read(client.finish(), ServerSummary.class);
    return new LoadCell(welcome, steps, capacity, common, summary);
  }

  private OptionalInt search(int start) throws IOException {
    return new CapacitySearch(
            p -> step(RateGrid.rate(p), pace.stepSeconds(), PATIENCE_SECONDS), pace.finest())
        .run(start);
  }

  private int common(OptionalInt capacity) {
    return Objects.requireNonNullElseGet(
        spec.common(), () -> Math.max(0, capacity.orElse(0) - RateGrid.STEPS));
  }

  /** Returns the highest of the given rates that was held. */
  private @Nullable Double measureRates() throws IOException {
    Double capacity = null;
    for (double rate : pace.rates()) {
      begin.begun();
      boolean held = step(rate, pace.stepSeconds(), LONG_PATIENCE_SECONDS);
      if (held && (capacity == null || rate > capacity)) {
        capacity = rate;
      }
    }
    return capacity;
  }

  private boolean step(double rate, double seconds, double patienceSeconds) throws IOException {
    StepResult result =
        client.run(
            new Step(
                rate,
                Math.min(MOST_SETTLE_SECONDS, seconds * SETTLE_SHARE),
                seconds,
                queries,
                Math.max(patienceSeconds, 2 * limitSeconds),
                spec.seed() * 31 + steps.size()));
    steps.add(result);
    return result.holds(limitSeconds);
  }
}
