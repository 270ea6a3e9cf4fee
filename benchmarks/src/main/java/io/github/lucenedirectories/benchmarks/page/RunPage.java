package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.Charts;
import io.github.lucenedirectories.benchmarks.report.Page;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.nio.file.Path;

/** The page of one run, for the commands that write it themselves. */
public final class RunPage {
  private final Results results;

  public RunPage(Results results) {
    this.results = results;
  }

  /** Writes the page. */
  public void write(Path file) {
    Page.write(results, Charts.of(results), file);
  }
}
