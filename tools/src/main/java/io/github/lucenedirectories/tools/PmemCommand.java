// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.tools.console.OutputFolder;
import io.github.lucenedirectories.tools.console.Progress;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The tools for folders of pool files. */
@Command(
    name = "pmem",
    description = "Tools for the folder of a PmemDirectory, which no other process may have open.")
public final class PmemCommand {
  private static final String POOLS = "POOLDIR";
  private static final String INDEX = "INDEXDIR";
  private static final double MEBIBYTE = 1 << 20;
  private static final long PAGE_BYTES = 4096;
  private static final long LEAST_ROOM_BYTES = 1L << 26;
  private static final int ROOM_SHARE = 4;

  @Spec private CommandSpec spec;

  private void say(String format, Object... values) {
    spec.commandLine().getOut().println(text(format, values));
  }

  @Command(description = "Say what the pools hold and what room they have.")
  void info(@Parameters(paramLabel = POOLS) Path folder) {
    open(
        folder,
        directory -> {
          Map<String, Double> metrics = directory.metrics();
          say("directory     %s", describe(directory));
          say("pool files    %d", metrics.getOrDefault("pmem.pool.files", 0.0).intValue());
          say("files         %d, %s", directory.listAll().length, size(directory));
          say("capacity      %s", bytes(metrics.getOrDefault("pmem.total.bytes", 0.0).longValue()));
          say(
              "free          %s, the longest range %s",
              bytes(metrics.getOrDefault("pmem.free.bytes", 0.0).longValue()),
              bytes(metrics.getOrDefault("pmem.longest.free.bytes", 0.0).longValue()));
          say("commit        %s", commit(directory));
        });
  }

  @SuppressWarnings("AnnotateFormatMethod") // needs ErrorProne on the class path
  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String bytes(long bytes) {
    return text("%,.1f MiB", bytes / MEBIBYTE);
  }

  /** Where the pools are and how they are mapped. */
  private static String describe(PmemDirectory directory) {
    String text = directory.toString();
    return text.substring(0, text.lastIndexOf('@'));
  }

  private static String size(Directory directory) throws IOException {
    return bytes(ExistingIndex.bytes(directory, List.of(directory.listAll())));
  }

  private static String commit(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return "none";
    }
    try {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      return text(
          "%s, %,d documents without deletions, %d segments",
          infos.getSegmentsFileName(), infos.totalMaxDoc(), infos.size());
    } catch (IOException | IllegalArgumentException e) {
      return "cannot be read: " + oneLine(e);
    }
  }

  @Command(
      description = {
        "Check superblocks and metadata, read every file and verify its checksum, and run Lucene's"
            + " CheckIndex if there is a commit.",
        "If something is damaged, its name is printed and the exit code is 1."
      })
  void check(@Parameters(paramLabel = POOLS) Path folder) {
    open(
        folder,
        directory -> {
          say("Superblocks and metadata: whole, %s", describe(directory));
          try (Progress progress = new Progress()) {
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
        verified += Checksum.isRight(directory, name) ? 1 : 0;
      } catch (IOException e) {
        damaged.add(name);
        say("Damaged: %s: %s", name, oneLine(e));
      }
      progress.stepDone();
    }
    say(
        "Files: %d, %s; %d checksums are right, %d have none",
        names.length, size(directory), verified, names.length - verified - damaged.size());
    if (!damaged.isEmpty()) {
      String all = String.join(", ", damaged);
      throw new RunFailedException(
          "damaged files: " + damaged.size() + " of " + names.length + ": " + all);
    }
  }

  private void checkIndex(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      say("Index: no commit");
      return;
    }
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8));
      CheckIndex.Status status = check.checkIndex();
      if (!status.clean) {
        say("%s", report.toString(StandardCharsets.UTF_8));
        throw new RunFailedException(
            text(
                "CheckIndex finds the index damaged: damagedSegments=%d, lostDocuments=%d, commit=%s",
                status.numBadSegments, status.totLoseDocCount, status.segmentsFileName));
      }
      say("Index: %s is clean, %d segments", status.segmentsFileName, status.numSegments);
    }
  }

  @Command(description = "List the files in the pools with their lengths in bytes.")
  void list(@Parameters(paramLabel = POOLS) Path folder) {
    open(
        folder,
        directory -> {
          for (String name : directory.listAll()) {
            say("%-30s %15d", name, directory.fileLength(name));
          }
        });
  }

  @Command(
      name = "export",
      description =
          "Copy all files in the pools into an ordinary index folder, verify their checksums, and"
              + " sync them.")
  void exportIndex(
      @Parameters(paramLabel = POOLS) Path folder,
      @Parameters(paramLabel = INDEX, description = "is made, or must be empty") Path index) {
    open(
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
            say("Exported %d files, %d checksums verified: %s", names.size(), verified, index);
          }
        });
  }

  @Command(
      name = "import",
      description = {
        "Copy an ordinary index into pools, verify its checksums, and sync it.",
        "New pools have room for the index and a quarter more, and grow when needed."
      })
  void importIndex(
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
      PmemDirectory.Builder builder = PmemDirectory.builder(folder);
      if (!hasPools(folder)) {
        long bytes = ExistingIndex.bytes(from, names) + names.size() * PAGE_BYTES;
        builder.initialBytes(bytes + Math.max(LEAST_ROOM_BYTES, bytes / ROOM_SHARE));
      }
      open(
          folder,
          builder,
          to -> {
            int there = to.listAll().length;
            if (there > 0) {
              throw new UsageException(
                  "not empty: the pools in " + folder + " hold " + there + " files");
            }
            int verified = IndexCopy.run(from, to, names);
            say(
                "Imported %d files, %d checksums verified: %s",
                names.size(), verified, describe(to));
          });
    }
  }

  /** Opens pools that are there, never makes any. */
  private static void open(Path folder, IOConsumer<PmemDirectory> work) {
    ExistingIndex.checkFolder(folder);
    if (!hasPools(folder)) {
      throw new UsageException("no pools: " + folder + " has no file pool-00000.pmem");
    }
    open(folder, PmemDirectory.builder(folder), work);
  }

  /** Whether a folder has a pool file; a folder that is not there has none. */
  private static boolean hasPools(Path folder) {
    if (!Files.exists(folder)) {
      return false;
    }
    try (DirectoryStream<Path> pools = Files.newDirectoryStream(folder, "*.pmem")) {
      return pools.iterator().hasNext();
    } catch (IOException e) {
      throw new UsageException("cannot read " + folder + ": " + oneLine(e), e);
    }
  }

  /** Opens a directory, makes it where there is none, and works on it. */
  private static void open(
      Path folder, PmemDirectory.Builder builder, IOConsumer<PmemDirectory> work) {
    try (PmemDirectory directory = build(folder, builder)) {
      work.accept(directory);
    } catch (IOException e) {
      throw new RunFailedException(oneLine(e), e);
    }
  }

  private static PmemDirectory build(Path folder, PmemDirectory.Builder builder) {
    try {
      return builder.build();
    } catch (LockObtainFailedException e) {
      throw new UsageException(
          "locked pools: another process has " + folder + " open; close it first", e);
    } catch (CorruptIndexException | IndexFormatTooNewException e) {
      throw new RunFailedException("damaged pools: " + oneLine(e), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("cannot open " + folder + ": " + oneLine(e), e);
    }
  }

  /** The first line of the message, with the kind of error where the message is a bare name. */
  private static String oneLine(Throwable e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return e instanceof FileSystemException || e.getMessage() == null
        ? e.getClass().getSimpleName() + ": " + message
        : message;
  }
}
