package io.github.lucenedirectories.benchmarks.page;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Facts;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A run that has ended.
 *
 * @param name on a page of several
 * @param place where its results were found, as the user named it
 */
record Run(String name, Path place, Results results) {
  private static final String FILE = "results.json";

  /**
   * Reads what a run has left behind.
   *
   * @param place its folder, or its {@code results.json} under whatever name
   * @throws UsageException if there is no such thing
   */
  static Run read(String letter, Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve(FILE) : place;
    if (!Files.isRegularFile(file)) {
      throw new UsageException("no such run: " + place + " (a folder with results.json, or that)");
    }
    Results results;
    try {
      results = Results.read(file);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new UsageException(
          "not the results of a run: "
              + file
              + " is damaged"
              + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr()),
          e);
    }
    if (results == null || results.results() == null || results.results().isEmpty()) {
      throw new UsageException("not the results of a run: " + file + ": no figures in it");
    }
    Path last = place.toAbsolutePath().normalize().getFileName();
    return new Run(letter + (last == null ? "" : " " + last), place, results);
  }

  /** The first letter of its name, where there is no room for more. */
  String letter() {
    return name.substring(0, 1);
  }

  Map<String, String> facts() {
    return Facts.of(results.environment());
  }
}
