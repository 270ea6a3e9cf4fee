package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks that match some patterns, with their parameters. */
final class Catalog {
  private final List<BenchmarkListEntry> entries;

  private Catalog(List<BenchmarkListEntry> entries) {
    this.entries = entries;
  }

  /**
   * Those whose names contain a match of one of the patterns; all, if there is no pattern.
   *
   * @throws UsageException if a pattern matches none, or is not a regular expression
   */
  static Catalog matching(List<String> patterns) {
    for (String pattern : patterns) {
      if (find(List.of(pattern)).isEmpty()) {
        throw new UsageException(
            "no benchmark's name contains '" + pattern + "': ./run micro --list names them");
      }
    }
    return new Catalog(find(patterns));
  }

  private static List<BenchmarkListEntry> find(List<String> patterns) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    OutputFormat silent = OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT);
    try {
      return List.copyOf(BenchmarkList.defaultList().find(silent, patterns, List.of()));
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "not a regular expression: '" + e.getPattern() + "' (" + e.getDescription() + ")", e);
    }
  }

  /**
   * Refuses values for a parameter that no benchmark of the catalog has.
   *
   * @throws UsageException naming the parameter and those there are
   */
  void checkParameters(Map<String, List<String>> parameters) {
    Map<String, String[]> known = new TreeMap<>();
    entries.forEach(entry -> known.putAll(parameters(entry)));
    for (String name : parameters.keySet()) {
      if (!known.containsKey(name)) {
        throw new UsageException(
            "no parameter '"
                + name
                + "': these benchmarks have "
                + String.join(", ", known.keySet()));
      }
    }
  }

  /** Those of them that have this parameter. */
  Catalog having(String parameter) {
    return new Catalog(
        entries.stream().filter(entry -> parameters(entry).containsKey(parameter)).toList());
  }

  /** The values that a parameter will have, these or its own; none if no benchmark has it. */
  Set<String> values(String name, Map<String, List<String>> parameters) {
    Set<String> values = new TreeSet<>();
    for (BenchmarkListEntry entry : entries) {
      String[] own = parameters(entry).get(name);
      if (own != null) {
        values.addAll(parameters.getOrDefault(name, List.of(own)));
      }
    }
    return values;
  }

  /** How many there are, each choice of parameters counted, with these values for some of them. */
  int size(Map<String, List<String>> parameters) {
    int size = 0;
    for (BenchmarkListEntry entry : entries) {
      int choices = 1;
      for (Map.Entry<String, String[]> parameter : parameters(entry).entrySet()) {
        List<String> values = parameters.get(parameter.getKey());
        choices *= values == null ? parameter.getValue().length : values.size();
      }
      size += choices;
    }
    return size;
  }

  /** A line for each: the name and the values of its parameters. */
  List<String> lines() {
    return entries.stream().map(Catalog::line).toList();
  }

  private static String line(BenchmarkListEntry entry) {
    StringBuilder line = new StringBuilder(Measurement.shortName(entry.getUsername()));
    new TreeMap<>(parameters(entry))
        .forEach(
            (name, values) ->
                line.append(' ').append(name).append('=').append(String.join(",", values)));
    return line.toString();
  }

  private static Map<String, String[]> parameters(BenchmarkListEntry entry) {
    return entry.getParams().orElse(Map.of());
  }
}
