// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * A command that measures several directories in rounds. One class has its options (picocli's
 * annotations), its plan, what it does in a round, and the figures that it takes; {@link Harness}
 * does the rest. It is registered by one line in {@code Main}. The results record all its fields,
 * those marked transient excepted.
 *
 * @param <S> what is measured of one directory in one round
 */
@Command(sortOptions = false)
@JsonAutoDetect(
    fieldVisibility = Visibility.ANY,
    getterVisibility = Visibility.NONE,
    isGetterVisibility = Visibility.NONE)
public abstract class MeasuringCommand<S extends Record> implements Callable<Integer> {
  @Mixin protected transient RunOptions run = new RunOptions();

  /** How long forks run, which {@link #plan} decides. */
  protected RunOptions.Defaults values = new RunOptions.Defaults(0, 0, 0);

  public final String name() {
    return getClass().getAnnotation(Command.class).name();
  }

  public final RunOptions.Defaults values() {
    return values;
  }

  protected final String pace() {
    return Numbers.text(
        "in each %.1f s of warm-up dropped and %.1f s measured",
        values.warmupSeconds(), values.seconds());
  }

  /** Refuses what needs no preparation to be refused, before anything is written. */
  public void check() throws IOException {}

  /** Where the processes of a run work, and what stands for persistent memory there. */
  public Workspace workspace() throws IOException {
    return Workspace.create();
  }

  /** Checks the options, prepares the input and chooses the columns. */
  public abstract Plan plan(Host host) throws IOException;

  /**
   * Measures every column once.
   *
   * @param order the columns in the order of this round
   * @return what was measured, by the labels of the columns
   */
  protected abstract Map<String, S> round(Host host, Plan plan, List<Column> order, long seed)
      throws IOException;

  public abstract List<Figures<S>> figures(Plan plan);

  /** Adds to the results what is not a figure: histograms, series, tables, remarks. */
  public Results complete(Results results, Plan plan, Map<String, List<S>> samples) {
    return results;
  }

  @Override
  public Integer call() throws IOException {
    return new Harness<>(this).call();
  }
}
