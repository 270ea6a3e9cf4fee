// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.tools.console.OutputFolder;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.ZipException;
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

  @Option(names = "--json", description = "print the results as JSON in place of tables")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Map<String, Results> runs = new LinkedHashMap<>();
    for (Path place : places) {
      Path name = place.toAbsolutePath().normalize().getFileName();
      runs.put((char) ('A' + runs.size()) + (name == null ? "" : " " + name), read(place));
    }
    Results results = runs.size() == 1 ? runs.values().iterator().next() : Comparison.of(runs);
    PrintWriter writer = Objects.requireNonNull(spec).commandLine().getOut();
    Path page = OutputFolder.create(out).resolve("report.html");
    Page.write(results, page);
    Tables.print(results, writer, json, page);
    return 0;
  }

  private static Results read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? Results.in(place) : place;
    if (!Files.isRegularFile(file)) {
      throw new UsageException("no such run: " + place + " (a folder with results.json, or that)");
    }
    try {
      return Results.read(file);
    } catch (JsonProcessingException | ZipException | EOFException e) {
      JsonLocation at = e instanceof JsonProcessingException json ? json.getLocation() : null;
      String where =
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new UsageException("not the results of a run: " + file + " is damaged" + where, e);
    }
  }
}
