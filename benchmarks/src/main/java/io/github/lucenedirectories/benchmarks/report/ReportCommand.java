package io.github.lucenedirectories.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code report}: the page of a run drawn again, or several runs side by side. */
@Command(
    name = "report",
    description =
        "Draw the page of a run again from its results.json, or that of several runs of one"
            + " command side by side.",
    footer = {
      "",
      "Several runs are compared with the first, figure by figure and directory by directory. The"
          + " page begins with the settings that differ."
    },
    sortOptions = false)
public final class ReportCommand implements Callable<Integer> {
  private static final int LETTERS = 26;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "a folder that a command wrote, or a results.json")
  private List<Path> places = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "for report.html (default: ${DEFAULT-VALUE})",
      defaultValue = "target/report")
  private Path out = Path.of("target", "report");

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description = "also write the numbers of each chart there")
  private @Nullable Path csv;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      description = "also write each chart there as SVG, for slides")
  private @Nullable Path charts;

  @Option(names = "--json", description = "print the results as JSON in place of tables")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  @SuppressWarnings("unused") // picocli asks its annotation, not its value
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (places.size() > LETTERS) {
      throw new UsageException("at most " + LETTERS + " runs side by side: " + places.size());
    }
    Map<String, Results> runs = new LinkedHashMap<>();
    for (Path place : places) {
      Path name = place.toAbsolutePath().normalize().getFileName();
      runs.put((char) ('A' + runs.size()) + (name == null ? "" : " " + name), read(place));
    }
    Results results = runs.size() == 1 ? runs.values().iterator().next() : Comparison.of(runs);
    PrintWriter writer = Objects.requireNonNull(spec).commandLine().getOut();
    Path page = Files.createDirectories(out).resolve("report.html");
    Page.write(results, page);
    Tables.print(results, writer, json, page);
    files(charts, ".svg", SvgChart::of, results);
    files(csv, ".csv", Chart::csv, results);
    return 0;
  }

  /** Reads what a run has left behind. */
  private static Results read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve(Results.FILE) : place;
    if (!Files.isRegularFile(file)) {
      throw new UsageException("no such run: " + place + " (a folder with results.json, or that)");
    }
    try {
      Results results = Results.read(file);
      if (results == null || results.results() == null || results.results().isEmpty()) {
        throw new UsageException("not the results of a run: " + file + " has no figures");
      }
      return results;
    } catch (JsonProcessingException e) {
      throw new UsageException(
          "not the results of a run: "
              + file
              + " is damaged"
              + (e.getLocation() == null
                  ? ""
                  : " at line "
                      + e.getLocation().getLineNr()
                      + ", column "
                      + e.getLocation().getColumnNr()),
          e);
    }
  }

  private static void files(
      @Nullable Path folder, String ending, Function<Chart, String> content, Results results)
      throws IOException {
    if (folder == null) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (Chart chart : Charts.of(results)) {
      String name = chart.fileName();
      for (int i = 2; !names.add(name); i++) {
        name = chart.fileName() + "-" + i;
      }
      Path file = Files.createDirectories(folder).resolve(name + ending);
      Files.writeString(file, content.apply(chart));
    }
  }
}
