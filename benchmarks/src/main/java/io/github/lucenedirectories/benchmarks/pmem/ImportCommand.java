package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The tool that copies an ordinary index into pools. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Copies an ordinary index into pools, checksums verified, and syncs it.",
      "New pools are made large enough for the index and a quarter more; they grow when an index"
          + " writer needs it."
    })
final class ImportCommand implements Callable<Integer> {
  private static final long PAGE_BYTES = 4096;
  private static final long LEAST_ROOM_BYTES = 1L << 26;
  private static final int ROOM_SHARE = 4;

  @Mixin private PoolOptions options = new PoolOptions();

  @Parameters(index = "0", paramLabel = "INDEXDIR", description = "the index; it is only read")
  private Path index;

  @Parameters(
      index = "1",
      paramLabel = "POOLDIR",
      description = "the folder of the pool files; it is made, or its pools must be empty")
  private Path pools;

  @Spec private CommandSpec spec;

  /**
   * Runs the command.
   *
   * @return the exit status 0
   * @throws UsageException if there is no index, or the pools are in use or hold files
   * @throws RunFailedException if something is damaged, or there is no room
   */
  @Override
  public Integer call() throws IOException {
    ExistingIndex.check(index);
    if (Files.exists(pools) && Files.isSameFile(index, pools)) {
      throw new UsageException("not one folder for both: " + pools);
    }
    if (Files.exists(pools) && !Files.isDirectory(pools)) {
      throw new UsageException("not a folder: " + pools);
    }
    try (Directory from = FSDirectory.open(index)) {
      List<String> names = indexFiles(from);
      PmemDirectory.Builder builder = options.builder(pools);
      if (!PoolOptions.hasPools(pools)) {
        builder.initialBytes(poolBytes(from, names));
      }
      PoolOptions.run(pools, builder, to -> copy(from, names, to));
    }
    return 0;
  }

  private static List<String> indexFiles(Directory from) throws IOException {
    return Arrays.stream(from.listAll())
        .filter(
            name ->
                name.startsWith(IndexFileNames.SEGMENTS)
                    || IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches())
        .toList();
  }

  private static long poolBytes(Directory from, List<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += Math.ceilDiv(from.fileLength(name), PAGE_BYTES) * PAGE_BYTES;
    }
    return bytes + Math.max(LEAST_ROOM_BYTES, bytes / ROOM_SHARE);
  }

  private void copy(Directory from, List<String> names, PmemDirectory to) throws IOException {
    int there = to.listAll().length;
    if (there > 0) {
      throw new UsageException("not empty: the pools in " + pools + " hold " + there + " files");
    }
    int verified = IndexCopy.run(from, to, names);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "Imported "
            + names.size()
            + " files, "
            + verified
            + " checksums verified: "
            + PoolOptions.describe(to));
    out.flush();
  }
}
