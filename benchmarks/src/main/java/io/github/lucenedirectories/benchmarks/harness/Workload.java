package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Something that is measured on several directories. One class has its options (picocli's
 * annotations), its plan, what a fork does, and the figures it takes; {@link Harness} does the
 * rest. A workload is registered by one line in {@code workload.Workloads}.
 *
 * <p>The parent JVM calls everything but {@link #run}, which runs in the JVM of a fork, on an
 * object whose options were not set.
 *
 * @param <P> the input of a fork, written to it as JSON
 * @param <S> what a fork measured, sent back as JSON
 */
public interface Workload<P extends Record, S extends Record> extends Callable<Integer> {

  /** The name of the command. */
  String name();

  /** The options that all workloads have. */
  RunOptions options();

  Class<P> inputType();

  Class<S> samplesType();

  /**
   * Refuses what needs no preparation to be refused, before anything is written.
   *
   * @throws UsageException that says what to change
   */
  default void check() throws IOException {}

  /** Where the processes of a run work, and what stands for persistent memory there. */
  default Workspace workspace() throws IOException {
    return Workspace.create();
  }

  /** Checks the options, prepares the input and chooses the columns. */
  Plan<P> plan(Host host) throws IOException;

  /** Measures one column, in a JVM of its own. */
  S run(P input, Column column, Fork fork) throws IOException;

  /** The figures that are taken of each fork. */
  List<Figures<S>> figures(Plan<P> plan);

  /**
   * Runs one fork, seen from the parent. A workload overrides this if the parent has a part in it:
   * a control group, a client, hits to compare.
   */
  default S measure(Host host, Plan<P> plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan, column, seed)) {
      S samples = child.await(Harness.MEASURED, samplesType());
      child.finish();
      return samples;
    }
  }

  /** Adds to the results what is not a figure: histograms, series, advice, remarks. */
  default Results complete(Results results, Plan<P> plan, Map<String, List<S>> samples) {
    return results;
  }

  @Override
  default Integer call() throws IOException {
    return new Harness<>(this).call();
  }
}
