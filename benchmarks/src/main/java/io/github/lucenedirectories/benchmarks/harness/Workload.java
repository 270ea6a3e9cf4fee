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
 * Something that is measured on several directories. One class has its options (picocli's
 * annotations), its plan, what a fork does, and the figures it takes; {@link Harness} does the
 * rest. A workload is registered by one line in {@code Main}.
 *
 * <p>The parent JVM calls everything but {@link #run}, which runs in the JVM of a fork, on a copy:
 * all fields travel there as JSON, those marked transient excepted. The results record them.
 *
 * @param <S> what a fork measured, sent back as JSON
 */
@Command(sortOptions = false)
@JsonAutoDetect(
    fieldVisibility = Visibility.ANY,
    getterVisibility = Visibility.NONE,
    isGetterVisibility = Visibility.NONE)
public abstract class Workload<S extends Record> implements Callable<Integer> {
  @Mixin protected transient RunOptions run = new RunOptions();

  /** How long forks run, which {@link #plan} decides. */
  protected RunOptions.Defaults values = new RunOptions.Defaults(0, 0, 0);

  public final String name() {
    return getClass().getAnnotation(Command.class).name();
  }

  public final RunOptions.Defaults values() {
    return values;
  }

  @SuppressWarnings("unchecked") // the class says so
  private Class<S> samplesType() {
    try {
      return (Class<S>) getClass().getMethod("run", Column.class, Fork.class).getReturnType();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A note on how queries were run, and which hits were compared. */
  protected final String note(
      List<String> kinds, String queries, int directories, String pace, int threads, String hits) {
    return Numbers.text(
        "Kinds of query: %d, with %s. %d directories, each in %d JVMs of its own, interleaved; %s;"
            + " threads that search: %d; seed %d. Hits identical on every directory%s.",
        kinds.size(), queries, directories, values.forks(), pace, threads, run.seed(), hits);
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

  /** Measures one column, in a JVM of its own. */
  public abstract S run(Column column, Fork fork) throws IOException;

  public abstract List<Figures<S>> figures(Plan plan);

  /**
   * Runs one fork, seen from the parent. A workload overrides this if the parent has a part in it:
   * a control group, a client, hits to compare.
   */
  public S measure(Host host, Plan plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan.flags(), column, seed, List.of())) {
      return result(child);
    }
  }

  protected final S result(ChildJvm child) throws IOException {
    return child.result(samplesType());
  }

  /** Adds to the results what is not a figure: histograms, series, advice, remarks. */
  public Results complete(Results results, Plan plan, Map<String, List<S>> samples) {
    return results;
  }

  @Override
  public Integer call() throws IOException {
    return new Harness<>(this).call();
  }
}
