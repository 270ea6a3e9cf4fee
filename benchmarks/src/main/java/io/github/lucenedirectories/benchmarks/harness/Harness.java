// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.Page;
import io.github.lucenedirectories.benchmarks.report.Tables;
import io.github.lucenedirectories.benchmarks.results.Analysis;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.tools.console.OutputFolder;
import io.github.lucenedirectories.tools.console.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * The pipeline of all workloads: options, plan, rounds of forks, samples, statistics, {@code
 * results.json}, page and tables.
 */
record Harness<S extends Record>(MeasuringCommand<S> workload) {

  int call() throws IOException {
    RunOptions options = workload.run;
    workload.check();
    Path out = OutputFolder.create(options.out(workload.name()));
    Path scratch =
        out.resolve("." + workload.name() + "-" + ProcessHandle.current().pid()).toAbsolutePath();
    try (Workspace workspace = workload.workspace()) {
      workspace.alsoRemove(scratch);
      Plan plan;
      Map<String, List<S>> samples;
      try (Progress progress = new Progress()) {
        progress.note("Preparing");
        Host host = new Host(workspace, out, scratch, progress);
        plan = workload.plan(host);
        samples = measure(host, plan);
      }
      Results results =
          workload.complete(results(plan, samples, out).shown(page(plan)), plan, samples).judged();
      Path file = out.resolve(Results.FILE);
      Path page = out.resolve("report.html");
      results.write(file);
      // As `report` will draw it.
      Page.write(Results.read(file), page);
      Tables.print(results, options.out(), options.json, file, page);
    }
    return 0;
  }

  /**
   * Measures every column once a round. The first round has the given order and each of the others
   * a random one, so that no column has the same neighbour or the same place each time. Returns
   * each column's samples in the order of the rounds.
   */
  private Map<String, List<S>> measure(Host host, Plan plan) throws IOException {
    Map<String, List<S>> samples = new LinkedHashMap<>();
    List<Column> order = new ArrayList<>(plan.columns());
    order.forEach(column -> samples.put(column.label(), new ArrayList<>()));
    long seed = workload.run.seed();
    Random random = new Random(seed);
    host.progress().start("measurements", plan.forks() * order.size());
    for (int round = 1; round <= plan.forks(); round++) {
      Map<String, S> measured = workload.round(host, plan, order, seed + round);
      samples.forEach((label, all) -> all.add(Objects.requireNonNull(measured.get(label), label)));
      Collections.shuffle(order, random);
    }
    return samples;
  }

  private Results results(Plan plan, Map<String, List<S>> samples, Path out) {
    Analysis<S> analysis =
        new Analysis<>(workload.name(), samples, workload.figures(plan), workload.run.seed());
    plan.references().forEach(analysis::compareAll);
    plan.pairs().forEach(pair -> analysis.compare(pair.column(), pair.reference()));
    Map<String, Object> environment = Environment.describe(out, plan.flags().flags());
    environment.put("command", workload.run.commandLine());
    environment.put("quick", workload.run.isQuick());
    environment.put("seed", workload.run.seed());
    environment.put("plan", Fork.MAPPER.convertValue(workload, Map.class));
    environment.putAll(plan.facts());
    return analysis.results(environment, plan.skipped());
  }

  private Presentation page(Plan plan) {
    return new Presentation(
        plan.title(),
        plan.notes(),
        plan.references(),
        workload.figures(plan).stream().map(Figures::presentation).toList());
  }
}
