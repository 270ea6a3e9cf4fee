// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexReader;

/** The lines that a run will use, by kind: all parse, and the index has their fields. */
public record TaskSelection(List<TaskLine> lines, List<Skipped> skipped) {

  public static TaskSelection pick(
      IndexReader reader, String field, Collection<String> kinds, int perKind, long seed)
      throws IOException {
    checkKinds(kinds, QueryPicker.ALL_KINDS);
    QueryPicker picker = new QueryPicker(reader, field, seed);
    List<Skipped> skipped = new ArrayList<>();
    List<TaskLine> picked = new ArrayList<>();
    for (String kind : kinds.isEmpty() ? QueryPicker.KINDS : QueryPicker.ALL_KINDS) {
      if (kinds.isEmpty() || kinds.contains(kind)) {
        List<TaskLine> lines = picker.pick(kind, perKind);
        picked.addAll(lines);
        if (lines.isEmpty()) {
          skipped.add(new Skipped(kind, 0, "the index has no words or keys for it"));
        }
      }
    }
    return choose(reader, field, picked, perKind, seed, skipped);
  }

  /** Takes a seeded sample of each kind of a task file. */
  public static TaskSelection sample(
      IndexReader reader,
      String field,
      List<TaskLine> file,
      Collection<String> kinds,
      int perKind,
      long seed)
      throws IOException {
    checkKinds(kinds, file.stream().map(TaskLine::kind).distinct().toList());
    List<TaskLine> wanted =
        file.stream().filter(line -> kinds.isEmpty() || kinds.contains(line.kind())).toList();
    return choose(reader, field, wanted, perKind, seed, new ArrayList<>());
  }

  /** Refuses kinds that are not there, naming those that are. */
  public static void checkKinds(Collection<String> wanted, Collection<String> known) {
    for (String kind : wanted) {
      if (!known.contains(kind)) {
        throw new UsageException(
            "unknown kind '" + kind + "': choose from " + String.join(", ", known));
      }
    }
  }

  private static TaskSelection choose(
      IndexReader reader,
      String field,
      List<TaskLine> offered,
      int perKind,
      long seed,
      List<Skipped> skipped)
      throws IOException {
    TaskParser parser = new TaskParser(field);
    FieldInfos infos = FieldInfos.getMergedFieldInfos(reader);
    Map<String, List<TaskLine>> kept = new LinkedHashMap<>();
    /* How many lines, for each kind and reason. */
    Map<Skipped, Integer> refused = new LinkedHashMap<>();
    for (TaskLine line : offered) {
      try {
        for (FieldNeed need : parser.parse(line).needs()) {
          if (!need.isMetBy(reader, infos)) {
            throw new UnsupportedTaskException(need.toString());
          }
        }
        kept.computeIfAbsent(line.kind(), _ -> new ArrayList<>()).add(line);
      } catch (UnsupportedTaskException e) {
        refused.merge(new Skipped(line.kind(), 1, String.valueOf(e.getMessage())), 1, Integer::sum);
      }
    }
    List<TaskLine> lines = new ArrayList<>();
    kept.forEach(
        (kind, all) -> {
          Collections.shuffle(all, new Random(seed * 31 + kind.hashCode()));
          lines.addAll(all.subList(0, Math.min(perKind, all.size())));
        });
    refused.forEach((one, count) -> skipped.add(new Skipped(one.task(), count, one.reason())));
    return new TaskSelection(List.copyOf(lines), List.copyOf(skipped));
  }
}
