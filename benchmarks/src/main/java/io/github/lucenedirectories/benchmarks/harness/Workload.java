package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Something that is measured on several directories. One class has its options (picocli's
 * annotations), its plan, what a fork does, and the figures it takes; {@link Harness} does the
 * rest. A workload is registered by one line in {@code Workloads}.
 *
 * <p>The parent JVM calls everything but {@link #run}, which runs in the JVM of a fork, on an
 * object whose options were not set.
 *
 * @param <P> the input of a fork, written to it as JSON
 * @param <S> what a fork measured, sent back as JSON
 */
@Command(sortOptions = false)
public abstract class Workload<P extends Record, S extends Record> implements Callable<Integer> {
  /** The options that all workloads have. */
  @Mixin protected RunOptions run = new RunOptions();

  /** The name of the command. */
  public final String name() {
    return getClass().getAnnotation(Command.class).name();
  }

  @SuppressWarnings("unchecked") // the class says so
  final Class<P> inputType() {
    return (Class<P>) types()[0];
  }

  @SuppressWarnings("unchecked") // the class says so
  final Class<S> samplesType() {
    return (Class<S>) types()[1];
  }

  private Type[] types() {
    return ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments();
  }

  /**
   * Refuses what needs no preparation to be refused, before anything is written.
   *
   * @throws UsageException that says what to change
   */
  public void check() throws IOException {}

  /** Where the processes of a run work, and what stands for persistent memory there. */
  public Workspace workspace() throws IOException {
    return Workspace.create();
  }

  /** Checks the options, prepares the input and chooses the columns. */
  public abstract Plan<P> plan(Host host) throws IOException;

  /** Measures one column, in a JVM of its own. */
  public abstract S run(P input, Column column, Fork fork) throws IOException;

  /** The figures that are taken of each fork. */
  public abstract List<Figures<S>> figures(Plan<P> plan);

  /**
   * Runs one fork, seen from the parent. A workload overrides this if the parent has a part in it:
   * a control group, a client, hits to compare.
   */
  public S measure(Host host, Plan<P> plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan, column, seed)) {
      S samples = child.await(Harness.MEASURED, samplesType());
      child.finish();
      return samples;
    }
  }

  /** Adds to the results what is not a figure: histograms, series, advice, remarks. */
  public Results complete(Results results, Plan<P> plan, Map<String, List<S>> samples) {
    return results;
  }

  @Override
  public Integer call() throws IOException {
    return new Harness<>(this).call();
  }
}
