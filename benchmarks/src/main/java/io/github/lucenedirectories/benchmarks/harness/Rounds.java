package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * Runs the forks of a comparison in rounds: each round has one fork of every column, one after
 * another, the first in the given order and the others in an order drawn anew, so that no column
 * has the same neighbour or the same place each time. The first fork of all is that of the first
 * column.
 *
 * @param <C> what is compared
 * @param <S> what a fork measures
 */
public final class Rounds<C, S> {
  private final List<C> columns;
  private final Function<C, String> label;
  private final Progress progress;

  /** One fork. */
  public interface Fork<C, S> {
    /**
     * Runs it.
     *
     * @param seed the same for all forks of a round
     */
    S run(C column, long seed) throws IOException;
  }

  /**
   * @param label the name of a column for whoever waits
   */
  public Rounds(List<C> columns, Function<C, String> label, Progress progress) {
    this.columns = List.copyOf(columns);
    this.label = label;
    this.progress = progress;
  }

  /** Runs all forks; returns each column's samples in the order of the rounds. */
  public Map<C, List<S>> run(int rounds, long seed, Fork<C, S> fork) throws IOException {
    progress.start(rounds * columns.size());
    Map<C, List<S>> samples = new LinkedHashMap<>();
    List<C> order = new ArrayList<>(columns);
    Random random = new Random(seed);
    for (int round = 1; round <= rounds; round++) {
      for (C column : order) {
        progress.step(label.apply(column));
        S measured = fork.run(column, seed + round);
        samples.computeIfAbsent(column, c -> new ArrayList<>()).add(measured);
        progress.stepDone();
      }
      Collections.shuffle(order, random);
    }
    return samples;
  }
}
