// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code results.json}: every sample of a run and what was made of them.
 *
 * @param version of this shape; 0 in older files
 * @param verdict null before it was judged
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Results(
    int version,
    @Nullable Verdict verdict,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> hints,
    Map<String, Object> environment,
    List<Result> results,
    List<Ratio> ratios,
    List<Ratio> means,
    List<Skipped> skipped,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Table> tables,
    Presentation page) {
  public static final int VERSION = 2;

  public static final String FILE = "results.json";

  /** How the name of a reference begins that stands for the best of several directories. */
  private static final String BEST = "best of ";

  /** How the name of a compressed file ends. */
  private static final String COMPRESSED = ".gz";

  /** Longer and deeper than any run's; a small compressed file could fill the memory. */
  private static final StreamReadConstraints MOST =
      StreamReadConstraints.builder().maxDocumentLength(1 << 26).maxNestingDepth(50).build();

  private static final ObjectMapper MAPPER = mapper();

  /** Refuses a file that lacks a part, except for what may be absent. */
  private static ObjectMapper mapper() {
    ObjectMapper mapper =
        new ObjectMapper(JsonFactory.builder().streamReadConstraints(MOST).build())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL));
    for (Class<?> type : List.of(int.class, Interval.class, Presentation.class, Verdict.class)) {
      mapper.configOverride(type).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SET));
    }
    mapper
        .configOverride(List.class)
        .setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY, Nulls.FAIL));
    mapper
        .configOverride(Map.class)
        .setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY, Nulls.SET));
    return mapper;
  }

  public Results {
    hints = List.copyOf(hints);
    results = List.copyOf(results);
    ratios = List.copyOf(ratios);
    means = List.copyOf(means);
    skipped = List.copyOf(skipped);
    tables = List.copyOf(tables);
    page = page == null ? Presentation.NONE : page;
  }

  public Results(
      Map<String, Object> environment,
      List<Result> results,
      List<Ratio> ratios,
      List<Ratio> means,
      List<Skipped> skipped) {
    this(
        VERSION,
        null,
        List.of(),
        environment,
        results,
        ratios,
        means,
        skipped,
        List.of(),
        Presentation.NONE);
  }

  private Results with(
      @Nullable Verdict newVerdict,
      List<String> newHints,
      List<Table> newTables,
      Presentation newPage) {
    return new Results(
        version,
        newVerdict,
        newHints,
        environment,
        results,
        ratios,
        means,
        skipped,
        newTables,
        newPage);
  }

  public Results withTables(List<Table> more) {
    return with(verdict, hints, more, page);
  }

  /** The same with more hints for the reader, a sentence or two each. */
  public Results noting(List<String> more) {
    List<String> all = Stream.concat(hints.stream(), more.stream()).toList();
    return with(verdict, all, tables, page);
  }

  /** The same with what it says, in place of what {@link Verdict#of} would find. */
  public Results withVerdict(Verdict found) {
    return with(found, hints, tables, page);
  }

  public Results shown(Presentation presentation) {
    return with(verdict, hints, tables, presentation);
  }

  /** The same with a verdict, if there is none yet, and with what was not measured. */
  public Results judged() {
    List<String> more = new ArrayList<>();
    if (!ratios.isEmpty() && !directories().contains(page.control())) {
      more.add(
          "No directory was measured twice, so this run cannot say how noisy the machine was.");
    }
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    for (Skipped entry : skipped) {
      reasons
          .computeIfAbsent(entry.reason(), _ -> new ArrayList<>())
          .add(entry.lines() == 0 ? entry.task() : entry.task() + " (" + entry.lines() + ")");
    }
    reasons.forEach(
        (reason, names) -> more.add("Not run, " + reason + ": " + String.join(", ", names) + "."));
    return (verdict == null ? withVerdict(Verdict.of(this)) : this).noting(more);
  }

  /** Whether the run has an answer. */
  @JsonIgnore
  public boolean isTrusted() {
    return verdict == null || verdict.trusted();
  }

  /**
   * The samples of one task on one directory.
   *
   * @param unit of the median and the samples
   * @param samples one a fork, in the order of the rounds: the i-th samples of two directories were
   *     taken near each other in time
   * @param repetitions for each fork, the values that its sample was made of; empty where there are
   *     none or too many to keep
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Result(
      String workload,
      String directory,
      String task,
      String unit,
      double median,
      @Nullable Interval interval95,
      List<Double> samples,
      List<List<Double>> repetitions) {

    public Result of(String newDirectory, String newTask) {
      return new Result(
          workload, newDirectory, newTask, unit, median, interval95, samples, repetitions);
    }
  }

  /**
   * The ratio of two directories' figures.
   *
   * @param task the figure; empty for the geometric mean over kinds of query
   * @param verdict {@code faster}, {@code slower}, or {@code same} where the interval holds 1 or
   *     there is none; faster is above 1 for rates, and below 1 for times
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ratio(
      String workload,
      String directory,
      String baseline,
      @JsonSetter(nulls = Nulls.SET) String task,
      double ratio,
      @Nullable Interval interval95,
      @JsonSetter(nulls = Nulls.SET) String verdict) {

    /* Jackson gives null for what a file does not have. */
    public Ratio {
      task = task == null ? "" : task;
      verdict = verdict == null ? Interval.verdict(interval95) : verdict;
    }

    public static Ratio of(
        String workload,
        String directory,
        String baseline,
        String task,
        Estimate ratio,
        Better better) {
      Interval speed = ratio.interval95();
      if (better == Better.LOWER && speed != null) {
        speed = speed.inverse();
      }
      return new Ratio(
          workload,
          directory,
          baseline,
          task,
          ratio.value(),
          ratio.interval95(),
          Interval.verdict(speed));
    }
  }

  /** Lines of a task file, or a default kind, that were not run. */
  public record Skipped(String task, int lines, String reason) {
    @Override
    public String toString() {
      return task
          + (lines > 0 ? " (" + lines + (lines == 1 ? " line)" : " lines)") : "")
          + ": "
          + reason;
    }
  }

  public record Table(String title, String note, List<String> header, List<List<String>> rows) {
    public Table {
      if (rows.stream().anyMatch(row -> row.size() != header.size())) {
        throw new IllegalArgumentException("not all rows are as long as the header");
      }
    }
  }

  public Optional<Result> result(String directory, String task) {
    return results.stream()
        .filter(r -> r.directory().equals(directory) && r.task().equals(task))
        .findFirst();
  }

  public Optional<Ratio> mean(String directory, String baseline) {
    return means.stream()
        .filter(m -> m.directory().equals(directory) && m.baseline().equals(baseline))
        .findFirst();
  }

  public Optional<Ratio> ratio(String directory, String baseline, String task) {
    return ratios.stream()
        .filter(r -> r.directory().equals(directory) && r.baseline().equals(baseline))
        .filter(r -> r.task().equals(task))
        .findFirst();
  }

  /** The workload that all of it is from; empty where nothing was measured. */
  public String workload() {
    return results.isEmpty() ? "" : results.get(0).workload();
  }

  /** The directories, the baseline first. */
  public List<String> directories() {
    return results.stream().map(Result::directory).distinct().toList();
  }

  int forks() {
    return results.stream().mapToInt(r -> r.samples().size()).max().orElse(0);
  }

  public List<String> tasks() {
    return results.stream().map(Result::task).distinct().toList();
  }

  public static String controlOf(String directory) {
    return directory + " (again)";
  }

  /** The directories that a reference is the best of: itself, unless it stands for several. */
  static List<String> bestAmong(String reference) {
    return reference.startsWith(BEST)
        ? List.of(reference.substring(BEST.length()).split(", "))
        : List.of(reference);
  }

  /** What stands for the best of several directories in each figure, as one to compare with. */
  public static String bestOf(List<String> directories) {
    return BEST + String.join(", ", directories);
  }

  /**
   * The facts of the environment as a reader sees them, in its order; those within others are named
   * by both: {@code plan.forks}.
   */
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    addFacts(facts, "", environment);
    return facts;
  }

  private static void addFacts(Map<String, String> facts, String prefix, Map<?, ?> values) {
    values.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner) {
            addFacts(facts, prefix + name + ".", inner);
          } else {
            facts.put(
                prefix + name,
                value instanceof List<?> list
                    ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
                    : String.valueOf(value));
          }
        });
  }

  public String json() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  public void write(Path file) {
    try {
      MAPPER.writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw UsageException.because("cannot write " + file, e);
    }
  }

  /**
   * Reads such a file.
   *
   * @param file plain, or compressed with a name that ends with {@value #COMPRESSED}
   * @throws UsageException if it is of an older version, or not the results of a run
   * @throws JsonProcessingException if it is damaged
   */
  public static Results read(Path file) throws IOException {
    Results results;
    try (InputStream in = Files.newInputStream(file)) {
      boolean compressed = file.toString().endsWith(COMPRESSED);
      results = MAPPER.readValue(compressed ? new GZIPInputStream(in) : in, Results.class);
    }
    if (results == null || results.results().isEmpty()) {
      throw new UsageException("not the results of a run: " + file + " has no figures");
    }
    if (results.version() != VERSION) {
      throw new UsageException(
          file + " has version " + results.version() + " and not " + VERSION + ": run it again");
    }
    return results;
  }

  /** The results in a folder, compressed or not. */
  public static Path in(Path folder) {
    Path file = folder.resolve(FILE);
    return Files.exists(file) ? file : folder.resolve(FILE + COMPRESSED);
  }
}
