package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** The tool that writes the metadata of pools anew. */
@Command(
    name = "compact",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Writes the metadata log anew, without what is past. The pools also do that themselves when"
          + " the log is full."
    })
final class CompactCommand extends PoolCommand {

  @Override
  void run(PmemDirectory directory, PrintWriter out) throws IOException {
    long before = directory.usage().logBytes();
    directory.compact();
    out.println(
        "Metadata log: "
            + Numbers.bytes(before)
            + " before, "
            + Numbers.bytes(directory.usage().logBytes())
            + " now");
  }
}
