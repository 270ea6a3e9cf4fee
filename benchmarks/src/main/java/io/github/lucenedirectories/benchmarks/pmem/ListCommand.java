package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;

/** The tool that lists the files in pools. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lists the files in the pools with their lengths in bytes.")
final class ListCommand extends PoolCommand {

  @Override
  void run(PmemDirectory directory, PrintWriter out) throws IOException {
    TextTable table = new TextTable();
    for (String name : directory.listAll()) {
      table.add(List.of(name, Long.toString(directory.fileLength(name))));
    }
    table.lines().forEach(out::println);
  }
}
