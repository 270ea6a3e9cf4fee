package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.advise.AdviseWorkload;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.workload.CommitWorkload;
import io.github.lucenedirectories.benchmarks.workload.CompareWorkload;
import io.github.lucenedirectories.benchmarks.workload.IndexWorkload;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload;
import io.github.lucenedirectories.benchmarks.workload.MemoryLimitWorkload;
import io.github.lucenedirectories.benchmarks.workload.NrtWorkload;
import io.github.lucenedirectories.benchmarks.workload.SelfCheckWorkload;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The list of all workloads. A new one is one class and one line here. */
final class Workloads {
  private static final List<Supplier<Workload<?, ?>>> ALL =
      List.of(
          CompareWorkload::new,
          SelfCheckWorkload::new,
          MemoryLimitWorkload::new,
          AdviseWorkload::new,
          IndexWorkload::new,
          NrtWorkload::new,
          LoadWorkload::new,
          CommitWorkload::new);

  private Workloads() {}

  /** New objects of all workloads, in the order of the help. */
  static List<? extends Workload<?, ?>> all() {
    return ALL.stream().map(Supplier::get).toList();
  }

  /** A new object of the workload of a name. */
  static Optional<? extends Workload<?, ?>> find(String name) {
    return all().stream().filter(workload -> workload.name().equals(name)).findFirst();
  }
}
