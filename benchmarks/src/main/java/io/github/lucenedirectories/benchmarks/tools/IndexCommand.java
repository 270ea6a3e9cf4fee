package io.github.lucenedirectories.benchmarks.tools;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.nio.file.Path;
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
  boolean json;

  @Spec CommandSpec spec = CommandSpec.create();

  /** Fails if what was found is no success; called when it has been printed. */
  void end() {}

  /** Does the work, prints as text unless JSON is wanted, and returns what JSON says. */
  abstract Object run() throws IOException;

  @Override
  public final Integer call() throws IOException {
    Object facts = run();
    if (json) {
      spec.commandLine()
          .getOut()
          .println(
              new ObjectMapper()
                  .enable(SerializationFeature.INDENT_OUTPUT)
                  .writeValueAsString(facts));
    }
    end();
    return 0;
  }

  /** Prints a line of text. */
  final void say(String format, Object... values) {
    if (!json) {
      spec.commandLine().getOut().println(Numbers.text(format, values));
    }
  }

  static String extension(String name) {
    return name.startsWith("segments_") ? "segments" : name.substring(name.lastIndexOf('.') + 1);
  }
}
