package io.github.lucenedirectories.benchmarks.presets;

import java.util.List;
import java.util.Optional;

/**
 * A named set of option values of one command. What the user gives besides goes before it.
 *
 * @param command that has these options
 * @param options each with its value, {@code --name=value}
 */
record Preset(String command, String name, List<String> options) {

  /** All there are. */
  static final List<Preset> ALL =
      List.of(
          // Memory against mmap under load: the hardest terms, few updates, a reopen each second.
          new Preset(
              "load",
              "zing",
              List.of(
                  "--directories=RamDirectory,HybridDirectory",
                  "--gc=G1",
                  "--heap=1g",
                  "--kinds=HardestTerm",
                  "--queries=100",
                  "--updates=100",
                  "--reopen-millis=1000",
                  "--sla=100ms",
                  "--forks=4",
                  "--warmup=6",
                  "--step-seconds=3")));

  /** The one of a name. */
  static Optional<Preset> find(String command, String name) {
    return ALL.stream().filter(p -> p.command().equals(command) && p.name().equals(name)).findAny();
  }

  /** The names of a command's. */
  static List<String> names(String command) {
    return ALL.stream().filter(p -> p.command().equals(command)).map(Preset::name).toList();
  }
}
