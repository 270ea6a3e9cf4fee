// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands for an index share. */
abstract class IndexCommand implements Callable<Integer> {

  @Parameters(paramLabel = "INDEX", description = "its folder")
  Path folder = Path.of("");

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Does the work, and returns what is printed: facts, and maps of facts, by name. */
  abstract Map<String, Object> run() throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    Map<String, Object> facts = run();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
      out.println(mapper.writeValueAsString(facts));
    } else {
      facts.forEach(
          (name, fact) -> {
            if (fact instanceof Map<?, ?> map) {
              out.println(name + (map.isEmpty() ? ": none" : ":"));
              map.forEach((key, value) -> out.println("  " + key + ": " + value));
            } else {
              out.println(name + ": " + fact);
            }
          });
    }
    if (facts.get("damaged") instanceof Map<?, ?> files && !files.isEmpty()) {
      throw new RunFailedException("damaged files: " + files.keySet());
    }
    return 0;
  }

  /** Facts in their order: each name is followed by its value. */
  static Map<String, Object> facts(Object... namesAndValues) {
    Map<String, Object> facts = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      facts.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return facts;
  }

  static String extension(String name) {
    return name.startsWith("segments_") ? "segments" : name.substring(name.lastIndexOf('.') + 1);
  }
}
