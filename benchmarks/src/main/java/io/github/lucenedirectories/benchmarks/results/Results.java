package io.github.lucenedirectories.benchmarks.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code results.json}: every sample of a run and what was made of them. Each
 * workload writes this shape.
 *
 * @param version of this shape, 2 at present; 0 in files from before it was recorded. The schema is
 *     {@code docs/results.schema.json}.
 * @param verdict what it says, in sentences; null in files from before it was recorded
 * @param hints what weakens it, or would improve the next run
 * @param environment the machine, the software, the command and the seed
 * @param results one for each directory and task
 * @param ratios one for each directory, task and directory compared with
 * @param means one for each pair of directories: over the tasks
 * @param skipped what was asked for and not run
 * @param latencies the histograms that percentiles were taken from
 * @param series values along time, or along a load
 * @param tables that a workload made of its figures
 * @param page how all this is shown; null in files from before there was such a thing
 * @param advice what follows from it for a user; null for a workload that gives none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Results(
    int version,
    @Nullable Verdict verdict,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> hints,
    Map<String, Object> environment,
    List<Result> results,
    List<Ratio> ratios,
    List<Mean> means,
    List<Skipped> skipped,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Latencies> latencies,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Series> series,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Table> tables,
    @Nullable Presentation page,
    @Nullable Advice advice) {
  /** The version that is written. */
  public static final int VERSION = 2;

  /** The name of the file. */
  public static final String FILE = "results.json";

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /* Jackson gives null for what an older file does not have. */
  public Results {
    hints = listed(hints);
    latencies = listed(latencies);
    series = listed(series);
    tables = listed(tables);
  }

  private static <T> List<T> listed(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /** Results without latencies. */
  public Results(
      Map<String, Object> environment,
      List<Result> results,
      List<Ratio> ratios,
      List<Mean> means,
      List<Skipped> skipped) {
    this(environment, results, ratios, means, skipped, List.of());
  }

  /** Results of figures and latencies alone. */
  public Results(
      Map<String, Object> environment,
      List<Result> results,
      List<Ratio> ratios,
      List<Mean> means,
      List<Skipped> skipped,
      List<Latencies> latencies) {
    this(
        VERSION,
        null,
        List.of(),
        environment,
        results,
        ratios,
        means,
        skipped,
        latencies,
        List.of(),
        List.of(),
        null,
        null);
  }

  private Results with(
      @Nullable Verdict newVerdict,
      List<String> newHints,
      List<Series> newSeries,
      List<Table> newTables,
      @Nullable Presentation newPage,
      @Nullable Advice newAdvice) {
    return new Results(
        version,
        newVerdict,
        newHints,
        environment,
        results,
        ratios,
        means,
        skipped,
        latencies,
        newSeries,
        newTables,
        newPage,
        newAdvice);
  }

  /** The same with the histograms that percentiles were taken from. */
  public Results withLatencies(List<Latencies> more) {
    return new Results(
        version,
        verdict,
        hints,
        environment,
        results,
        ratios,
        means,
        skipped,
        more,
        series,
        tables,
        page,
        advice);
  }

  /** The same with series. */
  public Results withSeries(List<Series> more) {
    return with(verdict, hints, more, tables, page, advice);
  }

  /** The same with tables of the workload's own. */
  public Results withTables(List<Table> more) {
    return with(verdict, hints, series, more, page, advice);
  }

  /** The same with more hints for the reader, a sentence or two each. */
  public Results noting(List<String> more) {
    return with(
        verdict,
        Stream.concat(hints.stream(), more.stream()).toList(),
        series,
        tables,
        page,
        advice);
  }

  /** The same with what it says, in place of what {@link Verdict#of} would find. */
  public Results withVerdict(Verdict found) {
    return with(found, hints, series, tables, page, advice);
  }

  /** The same with a verdict, if there is none yet, and with all hints. */
  public Results judged() {
    Results judged = verdict == null ? withVerdict(Verdict.of(this)) : this;
    return judged.noting(Hints.of(judged));
  }

  /** Whether differences may be coloured and recommended. */
  @JsonIgnore
  public boolean isTrusted() {
    return verdict == null || verdict.trusted();
  }

  /** The same, shown so. */
  public Results shown(Presentation presentation) {
    return with(verdict, hints, series, tables, presentation, advice);
  }

  /** The same with advice. */
  public Results advising(Advice given) {
    return with(verdict, hints, series, tables, page, given);
  }

  /** How this is shown; guessed for a file that does not say it. */
  @JsonIgnore
  public Presentation presentation() {
    return page == null ? OldResults.presentation(this) : page;
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

    /** Figures are rounded to six digits: more are noise, and make the file large. */
    public static Result of(
        String workload,
        String directory,
        String task,
        String unit,
        Estimate median,
        double[] samples,
        List<List<Double>> repetitions) {
      return new Result(
          workload,
          directory,
          task,
          unit,
          rounded(median.value()),
          median.interval95(),
          Arrays.stream(samples).mapToObj(Result::rounded).toList(),
          repetitions.stream().map(fork -> fork.stream().map(Result::rounded).toList()).toList());
    }

    private static double rounded(double value) {
      return Double.parseDouble(String.format(Locale.ROOT, "%.6g", value));
    }
  }

  /**
   * The ratio of two directories' figures in one task.
   *
   * @param verdict whether the first is {@code faster}: above 1 for rates, below 1 for times
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ratio(
      String workload,
      String directory,
      String baseline,
      String task,
      double ratio,
      @Nullable Interval interval95,
      @Nullable Interval intervalCorrected,
      String verdict) {

    /** The row of an estimate. */
    public static Ratio of(
        String workload,
        String directory,
        String baseline,
        String task,
        Estimate ratio,
        Estimate.Verdict verdict) {
      return new Ratio(
          workload,
          directory,
          baseline,
          task,
          ratio.value(),
          ratio.interval95(),
          ratio.corrected(),
          verdict.name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * The geometric mean of one pair's ratios over the tasks, and what the ratios say together.
   *
   * @param widestHalfWidth of the tasks' 95 % intervals
   * @param widestHalfWidthCorrected of the tasks' corrected intervals
   * @param tasksBelow tasks whose corrected interval lies below {@code bound}
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Mean(
      String workload,
      String directory,
      String baseline,
      double ratio,
      @Nullable Interval interval95,
      int tasks,
      int faster,
      int slower,
      String lowestTask,
      double lowestRatio,
      @Nullable Double widestHalfWidth,
      @Nullable Double widestHalfWidthCorrected,
      double bound,
      @Nullable List<String> tasksBelow) {}

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

  /**
   * All latencies of one kind on one directory.
   *
   * @param unit of the recorded values
   * @param forks for each fork, an HdrHistogram: compressed V2 encoding, base64
   */
  public record Latencies(
      String workload, String directory, String task, String unit, List<String> forks) {}

  /**
   * Values of one directory along an axis. Those of all directories with the same task, axis and
   * unit are drawn together.
   *
   * @param along what the axis is, with its unit: {@code seconds}, {@code requests/s}
   * @param unit of the values
   * @param limit that the values should keep below; null if there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Series(
      String workload,
      String directory,
      String task,
      String along,
      String unit,
      @Nullable Double limit,
      List<At> points) {}

  /**
   * A table that is shown as it is.
   *
   * @param note what it means
   * @param rows of as many cells as {@code header}
   */
  public record Table(String title, String note, List<String> header, List<List<String>> rows) {}

  /**
   * What was found at one place of an axis.
   *
   * @param values one for each fork that has one
   */
  public record At(double x, List<Double> values) {}

  /** What a directory did in a task, if it was measured. */
  public Optional<Result> result(String directory, String task) {
    return results.stream()
        .filter(r -> r.directory().equals(directory) && r.task().equals(task))
        .findFirst();
  }

  /** The geometric mean of two directories' ratios, if there is one. */
  public Optional<Mean> mean(String directory, String baseline) {
    return means.stream()
        .filter(m -> m.directory().equals(directory) && m.baseline().equals(baseline))
        .findFirst();
  }

  /** How two directories compare in a task, if both were measured. */
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

  /** The tasks, in the order of the table. */
  public List<String> tasks() {
    return results.stream().map(Result::task).distinct().toList();
  }

  /** The label of the column that measured a directory a second time, as a control. */
  public static String controlOf(String directory) {
    return directory + " (again)";
  }

  /** A line for each reason, why something was not run, with what it is true of. */
  public List<String> notRun() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    for (Skipped entry : skipped) {
      kinds
          .computeIfAbsent(entry.reason(), reason -> new ArrayList<>())
          .add(entry.lines() == 0 ? entry.task() : entry.task() + " " + entry.lines());
    }
    List<String> lines = new ArrayList<>();
    kinds.forEach(
        (reason, names) ->
            lines.add("Not run, " + reason + " (kinds, lines): " + String.join(", ", names)));
    return lines;
  }

  /** The content of the file. */
  public String json() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Writes the file.
   *
   * @throws UsageException that names it, if it cannot be written
   */
  public void write(Path file) {
    try {
      MAPPER.writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw UsageException.because("cannot write " + file, e);
    }
  }

  /** Reads such a file, also an older one; null if it is JSON's null. */
  public static Results read(Path file) throws IOException {
    Results results = MAPPER.readValue(file.toFile(), Results.class);
    return results == null || results.results() == null || results.version() >= VERSION
        ? results
        : Coverage.checked(results.shown(OldResults.presentation(results))).judged();
  }
}
