// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The list of commands in {@code ./run --help}, grouped by the questions that users have. */
final class Help {
  private static final String COMMANDS =
      """

      Which directory suits my index?
        advise        Measure for three minutes and recommend a directory.
        compare       Compare the speed of searches.
        memory-limit  The same with less memory than the index has bytes.
        vectors       Search vectors in that way, with and without prefetching.
        warm-start    Search after a restart with nothing of the index in memory.
      How does it cope with updates and load, and what does writing cost?
        nrt           Update, reopen and search at the same time.
        load          Send queries at given rates.
        commit        Commit every few documents.
      Can I trust the figures, and what do they mean?
        report        Draw a run's page again, or compare several runs.
        micro         Measure single operations with JMH.
      Is an index whole and in memory? (Also while it is written.)
        residency     Say how much of it is in memory.
        warm          Load what an image names into memory, or save the image.
        check         Verify all checksums.
        copy          Copy all commits, verified; goes on after an interruption.
        pmem          Inspect, check, import and export pools.
        journal       Inspect, check and empty a commit journal.
      For developers
        test          Run the tests; --all also runs the slow ones.
        pmem-test     Run tests on an emulated machine with persistent memory.
        docs          Build the guide and the Javadoc.
      """;

  /* They are commands of the script, listed here for the sake of suggestions. */
  private static final List<String> SCRIPT = List.of("micro", "test", "pmem-test", "docs");

  private Help() {}

  /** Groups the commands in a command line's help. */
  static void install(CommandLine commands) {
    SCRIPT.forEach(name -> commands.addSubcommand(name, CommandSpec.create()));
    commands.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    commands.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, _ -> COMMANDS);
  }
}
