package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A searching fork that runs inside a control group: one kind after the other, and in the end some
 * answers for the parent to check.
 *
 * <p>Warm: all kinds run for half of the warm-up, then each kind for its share of the other half
 * and, right after that, measured. Cold: the kinds run with queries that are not measured until the
 * JVM is warm; then, for each kind, everything is closed, the parent takes the index out of the
 * page cache, everything is opened anew, and each query that is measured runs once.
 *
 * <p>With a merge: all kinds run for half of the warm-up, then mixed beside a first merge of half
 * of the index, then for the other half. After that they run mixed for the measured time, and again
 * until the same half is merged once more, in the same JVM and through the same directory class.
 * Without the first merge the measured one would share the processors with the compiler, which is
 * busy with the code of merges for as long as a merge of this size takes.
 */
public final class LimitJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "memory-limit";

  /** Said by the fork before each kind: all is closed, the parent may empty the page cache. */
  static final String CLOSED = "closed";

  /** Said by the parent: go on. */
  static final String GO = "go";

  /** Said by the fork, with its {@link LimitSamples}. */
  static final String MEASURED = "measured";

  /** Said by the fork: the answers are written. */
  static final String ANSWERED = "answered";

  /** The queries of all kinds together, before the merge. */
  static final String QUIET = "Quiet";

  /** The same during the merge. */
  static final String MERGING = "Merging";

  /* Answers of each kind that are compared. */
  private static final int ANSWERS = 10;

  private final Map<String, KindSamples> samples = new LinkedHashMap<>();
  private final List<Opening> openings = new ArrayList<>();

  @Override
  public void run(Fork parent) throws IOException {
    LimitSpec spec = parent.spec(LimitSpec.class);
    List<KindTasks> kinds =
        KindTasks.of(ChosenTasks.read(Path.of(spec.tasks()), spec.field()), spec.cold());
    List<KindTasks> order = new ArrayList<>(kinds);
    Collections.shuffle(order, new Random(spec.seed()));
    OpenIndex index = open(spec);
    try (Searchers searchers = new Searchers(spec.threads(), spec.seed())) {
      Double mergeSeconds = null;
      if (spec.mergeFolder() != null) {
        mergeSeconds = runMerging(spec, Path.of(spec.mergeFolder()), searchers, index, order);
      } else if (spec.cold()) {
        warmUp(searchers, index, order, spec.warmupSeconds());
        for (KindTasks kind : order) {
          index.close();
          parent.send(CLOSED, "");
          parent.await(GO);
          index = open(spec);
          openings.add(index.opening());
          samples.put(kind.kind(), searchers.runOnce(kind.measured(), index));
        }
      } else {
        runWarm(spec, searchers, index, order);
      }
      parent.send(
          MEASURED,
          new LimitSamples(inOrder(kinds), openings, mergeSeconds, Footprint.now(), null));
      parent.await(GO);
      index.ask(sample(kinds)).write(Path.of(spec.answers()));
      parent.send(ANSWERED, "");
      if (searchers.found() == Long.MIN_VALUE) {
        throw new AssertionError("cannot be, but keeps the sum in use");
      }
    } finally {
      index.close();
    }
  }

  /** Returns how long the measured merge took. */
  private double runMerging(
      LimitSpec spec, Path folder, Searchers searchers, OpenIndex index, List<KindTasks> order)
      throws IOException {
    openings.add(index.opening());
    List<Task> all = order.stream().flatMap(kind -> kind.measured().stream()).toList();
    double half = spec.warmupSeconds() / 2;
    searchers.run(all, index, half);
    try (ForcedMerge first = merge(spec, folder)) {
      searchers.runDuring(first, all, index);
    }
    searchers.run(all, index, half);
    samples.put(QUIET, searchers.run(all, index, spec.seconds()));
    try (ForcedMerge merge = merge(spec, folder)) {
      samples.put(MERGING, searchers.runDuring(merge, all, index));
      return merge.seconds();
    }
  }

  private static ForcedMerge merge(LimitSpec spec, Path folder) throws IOException {
    return ForcedMerge.begin(
        ReadableDirectory.named(spec.directory()), Path.of(spec.index()), folder);
  }

  private void runWarm(LimitSpec spec, Searchers searchers, OpenIndex index, List<KindTasks> order)
      throws IOException {
    openings.add(index.opening());
    double half = spec.warmupSeconds() / 2;
    warmUp(searchers, index, order, half);
    for (KindTasks kind : order) {
      searchers.run(kind.warming(), index, half / order.size());
      samples.put(
          kind.kind(), searchers.run(kind.measured(), index, spec.seconds() / order.size()));
    }
  }

  private static OpenIndex open(LimitSpec spec) throws IOException {
    return OpenIndex.open(
        ReadableDirectory.named(spec.directory()), Path.of(spec.index()), spec.threads());
  }

  private static void warmUp(
      Searchers searchers, OpenIndex index, List<KindTasks> kinds, double seconds)
      throws IOException {
    for (KindTasks kind : kinds) {
      searchers.run(kind.warming(), index, seconds / kinds.size());
    }
  }

  private Map<String, KindSamples> inOrder(List<KindTasks> kinds) {
    if (samples.containsKey(MERGING)) {
      return samples;
    }
    Map<String, KindSamples> ordered = new LinkedHashMap<>();
    kinds.forEach(k -> ordered.computeIfAbsent(k.kind(), samples::get));
    return ordered;
  }

  private static List<NamedTask> sample(List<KindTasks> kinds) {
    return kinds.stream().flatMap(kind -> kind.all().stream().limit(ANSWERS)).toList();
  }
}
