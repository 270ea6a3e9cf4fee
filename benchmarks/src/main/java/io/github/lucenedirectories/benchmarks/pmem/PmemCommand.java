package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.OutputFolder;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The tools for folders of pool files. */
@Command(
    name = "pmem",
    mixinStandardHelpOptions = true,
    description = "Tools for the folder of a PmemDirectory, which no other process may have open.")
public final class PmemCommand implements Callable<Integer> {
  private static final String POOLS = "POOLDIR";
  private static final String INDEX = "INDEXDIR";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long PAGE_BYTES = 4096;
  private static final long LEAST_ROOM_BYTES = 1L << 26;
  private static final int ROOM_SHARE = 4;

  @Spec private CommandSpec spec;

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Shows the help: a tool is missing. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Say what the pools hold and what room they have.")
  void info(@Mixin Pools pools, @Parameters(paramLabel = POOLS) Path folder) {
    pools.open(
        folder,
        directory -> {
          PmemUsage usage = directory.usage();
          out().printf(Locale.ROOT, "directory     %s%n", describe(directory));
          out().printf(Locale.ROOT, "pool files    %d%n", usage.poolFiles());
          out()
              .printf(
                  Locale.ROOT,
                  "files         %d, %s%n",
                  directory.listAll().length,
                  size(directory));
          out().printf(Locale.ROOT, "capacity      %s%n", Numbers.bytes(usage.totalBytes()));
          out()
              .printf(
                  Locale.ROOT,
                  "free          %s, the longest range %s%n",
                  Numbers.bytes(usage.freeBytes()),
                  Numbers.bytes(usage.longestFreeBytes()));
          out().printf(Locale.ROOT, "metadata log  %s used%n", Numbers.bytes(usage.logBytes()));
          out().printf(Locale.ROOT, "commit        %s%n", commit(directory));
        });
  }

  /** Where the pools are and how they are mapped. */
  private static String describe(PmemDirectory directory) {
    String text = directory.toString();
    return text.substring(0, text.lastIndexOf('@'));
  }

  private static String size(Directory directory) throws IOException {
    return Numbers.bytes(bytes(directory, directory.listAll()));
  }

  private static long bytes(Directory directory, String... names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    return bytes;
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
      return "cannot be read: " + Pools.oneLine(e);
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Open the pools and a reader of their last commit, and say how long each took: the first"
            + " time, when no class is loaded yet, and afterwards.",
        "Free pages are populated for writing meanwhile, which an open does not wait for."
      })
  void open(
      @Mixin Pools pools,
      @Parameters(paramLabel = POOLS) Path folder,
      @Option(
              names = "--rounds",
              paramLabel = "N",
              description = "how often (default: ${DEFAULT-VALUE})",
              defaultValue = "21")
          int rounds) {
    if (rounds < 2) {
      throw new UsageException("--rounds must be at least 2, not " + rounds);
    }
    List<Double> opens = new ArrayList<>();
    List<Double> readers = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      pools.open(
          folder,
          directory -> {
            long opened = System.nanoTime();
            opens.add((opened - start) / NANOS_PER_MILLI);
            try (DirectoryReader _ = DirectoryReader.open(directory)) {
              readers.add((System.nanoTime() - opened) / NANOS_PER_MILLI);
            } catch (IndexNotFoundException e) {
              throw new UsageException("no index: " + folder + " holds no commit", e);
            }
          });
    }
    printMillis("the pools", opens);
    printMillis("a reader", readers);
  }

  private void printMillis(String what, List<Double> millis) {
    List<Double> later = millis.subList(1, millis.size());
    out()
        .printf(
            Locale.ROOT,
            "opening %-9s  first %.1f ms, then median %.2f ms, longest %.2f ms of %d%n",
            what,
            millis.getFirst(),
            Medians.of(later),
            Collections.max(later),
            later.size());
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Check superblocks and metadata, read every file and verify its checksum, and run Lucene's"
            + " CheckIndex if there is a commit.",
        "If something is damaged, its name is printed and the exit code is 1."
      })
  void check(@Mixin Pools pools, @Parameters(paramLabel = POOLS) Path folder) {
    pools.open(
        folder,
        directory -> {
          out().printf(Locale.ROOT, "Superblocks and metadata: whole, %s%n", describe(directory));
          try (Progress progress = Progress.create()) {
            checkFiles(directory, progress);
            progress.note("CheckIndex");
            checkIndex(directory);
          }
        });
  }

  private void checkFiles(Directory directory, Progress progress) throws IOException {
    String[] names = directory.listAll();
    progress.start("files", names.length);
    List<String> damaged = new ArrayList<>();
    int verified = 0;
    for (String name : names) {
      progress.step(name);
      try {
        verified += IndexCopy.hasRightChecksum(directory, name) ? 1 : 0;
      } catch (IOException e) {
        damaged.add(name);
        out().printf(Locale.ROOT, "Damaged: %s: %s%n", name, Pools.oneLine(e));
      }
      progress.stepDone();
    }
    out()
        .printf(
            Locale.ROOT,
            "Files: %d, %s; %d checksums are right, %d have none%n",
            names.length,
            size(directory),
            verified,
            names.length - verified - damaged.size());
    if (!damaged.isEmpty()) {
      String all = String.join(", ", damaged);
      throw new RunFailedException(
          "damaged files: " + damaged.size() + " of " + names.length + ": " + all);
    }
  }

  private void checkIndex(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      out().println("Index: no commit");
      return;
    }
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8));
      CheckIndex.Status status = check.checkIndex();
      if (!status.clean) {
        out().println(report.toString(StandardCharsets.UTF_8));
        throw new RunFailedException(
            String.format(
                Locale.ROOT,
                "CheckIndex finds the index damaged: damagedSegments=%d, lostDocuments=%d, commit=%s",
                status.numBadSegments,
                status.totLoseDocCount,
                status.segmentsFileName));
      }
      out()
          .printf(
              Locale.ROOT,
              "Index: %s is clean, %d segments%n",
              status.segmentsFileName,
              status.numSegments);
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "List the files in the pools with their lengths in bytes.")
  void list(@Mixin Pools pools, @Parameters(paramLabel = POOLS) Path folder) {
    pools.open(
        folder,
        directory -> {
          for (String name : directory.listAll()) {
            out().printf(Locale.ROOT, "%-30s %15d%n", name, directory.fileLength(name));
          }
        });
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Write the metadata log anew, without what is past.",
        "The pools do that themselves when the log is full."
      })
  void compact(@Mixin Pools pools, @Parameters(paramLabel = POOLS) Path folder) {
    pools.open(
        folder,
        directory -> {
          String before = Numbers.bytes(directory.usage().logBytes());
          directory.compact();
          String now = Numbers.bytes(directory.usage().logBytes());
          out().printf(Locale.ROOT, "Metadata log: %s before, %s now%n", before, now);
        });
  }

  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description =
          "Copy all files in the pools into an ordinary index folder, verify their checksums, and"
              + " sync them.")
  void exportIndex(
      @Mixin Pools pools,
      @Parameters(paramLabel = POOLS) Path folder,
      @Parameters(paramLabel = INDEX, description = "is made, or must be empty") Path index) {
    pools.open(
        folder,
        directory -> {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(OutputFolder.create(index))) {
            if (files.iterator().hasNext()) {
              throw new UsageException("not empty: " + index);
            }
          }
          List<String> names = List.of(directory.listAll());
          try (Directory target = FSDirectory.open(index)) {
            int verified = IndexCopy.run(directory, target, names);
            out()
                .printf(
                    Locale.ROOT,
                    "Exported %d files, %d checksums verified: %s%n",
                    names.size(),
                    verified,
                    index);
          }
        });
  }

  @Command(
      name = "import",
      mixinStandardHelpOptions = true,
      description = {
        "Copy an ordinary index into pools, verify its checksums, and sync it.",
        "New pools have room for the index and a quarter more, and grow when needed."
      })
  void importIndex(
      @Mixin Pools pools,
      @Parameters(paramLabel = INDEX, description = "is only read") Path index,
      @Parameters(paramLabel = POOLS, description = "is made, or its pools must be empty")
          Path folder)
      throws IOException {
    ExistingIndex.check(index);
    if (Files.exists(folder) && Files.isSameFile(index, folder)) {
      throw new UsageException("not one folder for both: " + folder);
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UsageException("not a folder: " + folder);
    }
    try (Directory from = FSDirectory.open(index)) {
      List<String> names =
          Arrays.stream(from.listAll())
              .filter(
                  name ->
                      name.startsWith(IndexFileNames.SEGMENTS)
                          || IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches())
              .toList();
      PmemDirectory.Builder builder = pools.builder(folder);
      if (!Pools.hasPools(folder)) {
        long bytes = bytes(from, names.toArray(String[]::new)) + names.size() * PAGE_BYTES;
        builder.initialBytes(bytes + Math.max(LEAST_ROOM_BYTES, bytes / ROOM_SHARE));
      }
      Pools.open(
          folder,
          builder,
          to -> {
            int there = to.listAll().length;
            if (there > 0) {
              throw new UsageException(
                  "not empty: the pools in " + folder + " hold " + there + " files");
            }
            int verified = IndexCopy.run(from, to, names);
            out()
                .printf(
                    Locale.ROOT,
                    "Imported %d files, %d checksums verified: %s%n",
                    names.size(),
                    verified,
                    describe(to));
          });
    }
  }
}
