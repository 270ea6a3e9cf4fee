package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one fork of one column found, raw.
 *
 * @param welcome of the server
 * @param steps all, in order, the warm-up first
 * @param capacity requests a second, the highest rate that was held; null if none was
 * @param common the place in the rate grid of the rate that all columns have in common; null where
 *     the rates were given
 * @param server what it saw, two spans for each step: the step, and what lies behind it
 */
record LoadCell(
    Welcome welcome,
    List<StepResult> steps,
    @Nullable Double capacity,
    @Nullable Integer common,
    ServerSummary server) {

  /** The number of the last step at a rate, if there was one after the warm-up. */
  Optional<Integer> stepAt(double rate) {
    for (int i = steps.size() - 1; i > 0; i--) {
      if (steps.get(i).perSecond() == rate) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** The steps that count. */
  List<StepResult> measured() {
    return steps.subList(1, steps.size());
  }
}
