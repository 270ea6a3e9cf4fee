// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code micro}: single operations, measured by JMH's own command line. */
@Command(
    name = "micro",
    description = {
      "Measure single operations with JMH: reads, clones, slices, open and close.",
      "All of them together take hours, so name some. Arguments are JMH's own: regular expressions"
          + " for benchmarks; -lp lists these and their parameters; -p directory=RamDirectory,"
          + "NioDirectory chooses directories; -f, -wi and -i say how many JVMs and iterations; -rf"
          + " json -rff FILE writes the results."
    })
public final class MicroCommand implements Callable<Integer> {
  @Unmatched private List<String> arguments = new ArrayList<>();

  /** Ends the JVM with status 1 if JMH fails. */
  @Override
  public Integer call() throws IOException {
    Main.main(arguments.toArray(String[]::new));
    return 0;
  }
}
