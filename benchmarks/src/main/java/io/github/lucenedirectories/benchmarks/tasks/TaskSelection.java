package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.index.IndexReader;

/**
 * The lines that a run will use: of each kind a few, all of which parse and whose fields the index
 * has.
 *
 * @param lines grouped by kind
 * @param skipped what was left out
 */
public record TaskSelection(List<TaskLine> lines, List<Skipped> skipped) {

  /**
   * Lines of one kind that are not run, and why.
   *
   * @param lines how many; 0 for a kind that the index has no query for
   */
  public record Skipped(String kind, int lines, String reason) {}

  /** Picks the default kinds' queries from the index. */
  public static TaskSelection pick(
      IndexReader reader, String field, Collection<String> kinds, int perKind, long seed)
      throws IOException {
    checkKinds(kinds, QueryPicker.ALL_KINDS);
    Filter filter = new Filter(reader, field);
    QueryPicker picker = new QueryPicker(reader, field, seed);
    for (String kind : kinds.isEmpty() ? QueryPicker.KINDS : QueryPicker.ALL_KINDS) {
      if (!kinds.isEmpty() && !kinds.contains(kind)) {
        continue;
      }
      List<TaskLine> lines = picker.pick(kind, perKind);
      if (lines.isEmpty()) {
        filter.skip(kind, 0, "the index has no words or keys for it");
      }
      for (TaskLine line : lines) {
        filter.offer(line);
      }
    }
    return filter.selection(perKind, seed);
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
    Filter filter = new Filter(reader, field);
    for (TaskLine line : file) {
      if (kinds.isEmpty() || kinds.contains(line.kind())) {
        filter.offer(line);
      }
    }
    return filter.selection(perKind, seed);
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

  /** Sorts lines into those that can run and those that cannot. */
  private static final class Filter {
    private final IndexReader reader;
    private final TaskParser parser;
    private final Map<FieldNeed, Boolean> met = new LinkedHashMap<>();
    private final Map<String, List<TaskLine>> kept = new LinkedHashMap<>();
    private final Map<String, Map<String, Integer>> skipped = new LinkedHashMap<>();

    Filter(IndexReader reader, String field) {
      this.reader = reader;
      this.parser = new TaskParser(field);
    }

    void offer(TaskLine line) throws IOException {
      try {
        for (FieldNeed need : parser.parse(line).needs()) {
          Boolean there = met.get(need);
          if (there == null) {
            there = need.isMetBy(reader);
            met.put(need, there);
          }
          if (!there) {
            throw new UnsupportedTaskException(need.toString());
          }
        }
        kept.computeIfAbsent(line.kind(), k -> new ArrayList<>()).add(line);
      } catch (UnsupportedTaskException e) {
        skip(line.kind(), 1, String.valueOf(e.getMessage()));
      }
    }

    void skip(String kind, int lines, String reason) {
      skipped.computeIfAbsent(kind, k -> new TreeMap<>()).merge(reason, lines, Integer::sum);
    }

    TaskSelection selection(int perKind, long seed) {
      List<TaskLine> lines = new ArrayList<>();
      for (Map.Entry<String, List<TaskLine>> kind : kept.entrySet()) {
        List<TaskLine> all = kind.getValue();
        Collections.shuffle(all, new Random(seed * 31 + kind.getKey().hashCode()));
        lines.addAll(all.subList(0, Math.min(perKind, all.size())));
      }
      List<Skipped> left = new ArrayList<>();
      skipped.forEach(
          (kind, reasons) ->
              reasons.forEach((reason, count) -> left.add(new Skipped(kind, count, reason))));
      return new TaskSelection(List.copyOf(lines), List.copyOf(left));
    }
  }
}
