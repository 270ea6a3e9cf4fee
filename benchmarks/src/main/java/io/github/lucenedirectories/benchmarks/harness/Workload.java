// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A command that measures each directory in JVMs of its own.
 *
 * <p>The parent JVM calls everything but {@link #run}, which runs in the JVM of a fork, on a copy:
 * all fields travel there as JSON, those marked transient excepted.
 *
 * @param <S> what a fork measured, sent back as JSON
 */
public abstract class Workload<S extends Record> extends MeasuringCommand<S> {

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

  /** Measures one column, in a JVM of its own. */
  public abstract S run(Column column, Fork fork) throws IOException;

  /**
   * Runs one fork, seen from the parent. A workload overrides this if the parent has a part in it:
   * a control group, a client, hits to compare.
   */
  public S measure(Host host, Plan plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan.flags(), column, seed, List.of())) {
      return result(child);
    }
  }

  @Override
  protected final Map<String, S> round(Host host, Plan plan, List<Column> order, long seed)
      throws IOException {
    Map<String, S> samples = new HashMap<>();
    for (Column column : order) {
      host.progress().step(column.label());
      try {
        samples.put(column.label(), measure(host, plan, column, seed));
      } finally {
        host.removeScratch();
      }
      host.progress().stepDone();
    }
    return samples;
  }

  protected final S result(ChildJvm child) throws IOException {
    return child.result(samplesType());
  }
}
