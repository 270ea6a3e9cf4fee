package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemUsage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** The tool that says what pools hold and what room they have. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Says what the pools hold and what room they have.")
final class InfoCommand extends PoolCommand {

  @Override
  void run(PmemDirectory directory, PrintWriter out) throws IOException {
    PmemUsage usage = directory.usage();
    String[] names = directory.listAll();
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    out.println("directory     " + PoolOptions.describe(directory));
    out.println("pool files    " + usage.poolFiles());
    out.println("files         " + names.length + ", " + Numbers.bytes(bytes));
    out.println("capacity      " + Numbers.bytes(usage.totalBytes()));
    out.println(
        "free          "
            + Numbers.bytes(usage.freeBytes())
            + ", the longest range "
            + Numbers.bytes(usage.longestFreeBytes()));
    out.println("metadata log  " + Numbers.bytes(usage.logBytes()) + " used");
    out.println("commit        " + commit(directory));
  }

  private static String commit(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return "none";
    }
    try {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      return String.format(
          Locale.ROOT,
          "%s, %,d documents without deletions, %d segments",
          infos.getSegmentsFileName(),
          infos.totalMaxDoc(),
          infos.size());
    } catch (IOException | IllegalArgumentException e) {
      return "cannot be read: " + OneLine.of(e);
    }
  }
}
