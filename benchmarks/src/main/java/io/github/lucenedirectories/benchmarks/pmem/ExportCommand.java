package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The tool that copies the index in pools into an ordinary folder. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Copies all files in the pools into an ordinary index folder, checksums verified, and syncs"
            + " them.")
final class ExportCommand extends PoolCommand {
  @Parameters(
      index = "1",
      paramLabel = "INDEXDIR",
      description = "where to; it is made, or must be empty")
  private Path index;

  @Override
  void run(PmemDirectory directory, PrintWriter out) throws IOException {
    refuseUnlessEmpty();
    Preparation.createFolder(index);
    List<String> names = List.of(directory.listAll());
    try (Directory folder = FSDirectory.open(index)) {
      int verified = IndexCopy.run(directory, folder, names);
      out.println(
          "Exported " + names.size() + " files, " + verified + " checksums verified: " + index);
    }
  }

  private void refuseUnlessEmpty() throws IOException {
    if (Files.isDirectory(index)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(index)) {
        if (files.iterator().hasNext()) {
          throw new UsageException("not empty: " + index);
        }
      }
    }
  }
}
