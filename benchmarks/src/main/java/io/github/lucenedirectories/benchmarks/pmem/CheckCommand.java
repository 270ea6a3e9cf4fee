package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** The tool that finds out whether all in pools is whole. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Checks superblocks and metadata, reads every file and verifies its checksum, and runs"
          + " Lucene's CheckIndex if there is a commit.",
      "Exit status 1 and the names of what is damaged if anything is."
    })
final class CheckCommand extends PoolCommand {

  @Override
  void run(PmemDirectory directory, PrintWriter out) throws IOException {
    out.println("Superblocks and metadata: whole, " + PoolOptions.describe(directory));
    try (Progress progress = Progress.create()) {
      checkFiles(directory, out, progress);
      progress.note("CheckIndex");
      checkIndex(directory, out);
    }
  }

  private static void checkFiles(PmemDirectory directory, PrintWriter out, Progress progress)
      throws IOException {
    String[] names = directory.listAll();
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    ByteProgress read = new ByteProgress(progress, bytes);
    List<String> damaged = new ArrayList<>();
    int verified = 0;
    for (String name : names) {
      read.file(name);
      try {
        verified += Checksum.verify(directory, name) ? 1 : 0;
      } catch (IOException e) {
        damaged.add(name);
        out.println("Damaged: " + name + ": " + OneLine.of(e));
      }
      read.add(directory.fileLength(name));
    }
    out.println(
        "Files: "
            + names.length
            + ", "
            + Numbers.bytes(bytes)
            + "; "
            + verified
            + " checksums are right, "
            + (names.length - verified - damaged.size())
            + " have none");
    out.flush();
    if (!damaged.isEmpty()) {
      throw new RunFailedException(
          "damaged files: "
              + damaged.size()
              + " of "
              + names.length
              + ": "
              + String.join(", ", damaged));
    }
  }

  private static void checkIndex(Directory directory, PrintWriter out) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      out.println("Index: no commit");
      return;
    }
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8));
      CheckIndex.Status status = check.checkIndex();
      if (!status.clean) {
        out.println(report.toString(StandardCharsets.UTF_8));
        out.flush();
        throw new RunFailedException(
            "CheckIndex finds the index damaged: damagedSegments="
                + status.numBadSegments
                + ", lostDocuments="
                + status.totLoseDocCount
                + ", commit="
                + status.segmentsFileName);
      }
      out.println(
          "Index: " + status.segmentsFileName + " is clean, " + status.numSegments + " segments");
    }
  }
}
