package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.StandaloneSvg;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code report}: the page of a run drawn again, or several runs side by side. */
@Command(
    name = ReportCommand.NAME,
    description =
        "Draw the page of a run again from its results.json, or that of several runs of one"
            + " command side by side.",
    footer = {
      "",
      "Several runs are compared with the first, measure by measure and directory by directory."
          + " The page begins with what they differ by: machine, software, settings."
    },
    sortOptions = false)
public final class ReportCommand implements Callable<Integer> {
  static final String NAME = "report";

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
  private Path out = Path.of("target", NAME);

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
    List<Run> runs = new ArrayList<>();
    for (Path place : places) {
      runs.add(Run.read(Character.toString('A' + runs.size()), place));
    }
    PrintWriter writer = Objects.requireNonNull(spec).commandLine().getOut();
    Path page = out.resolve("report.html");
    List<ChartFigure> figures;
    if (runs.size() == 1) {
      RunPage one = new RunPage(runs.get(0).results());
      Files.createDirectories(out);
      one.write(page);
      figures = one.figures();
    } else {
      RunsPage several = new RunsPage(runs);
      Files.createDirectories(out);
      several.write(page);
      figures = several.figures();
      if (!several.warning().isEmpty()) {
        writer.println("WARNING: " + several.warning());
      }
    }
    writer.println("Written: " + page);
    files(writer, figures);
    writer.flush();
    return 0;
  }

  private void files(PrintWriter writer, List<ChartFigure> figures) throws IOException {
    Set<String> names = new HashSet<>();
    for (ChartFigure figure : figures) {
      String name = figure.fileName();
      for (int i = 2; !names.add(name); i++) {
        name = figure.fileName() + "-" + i;
      }
      if (csv != null) {
        Files.writeString(Files.createDirectories(csv).resolve(name + ".csv"), figure.data().csv());
      }
      if (charts != null) {
        Files.writeString(
            Files.createDirectories(charts).resolve(name + ".svg"), StandaloneSvg.of(figure));
      }
    }
    if (csv != null) {
      writer.println("Written: " + figures.size() + " files in " + csv);
    }
    if (charts != null) {
      writer.println("Written: " + figures.size() + " files in " + charts);
    }
  }
}
