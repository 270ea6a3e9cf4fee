package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code check}. */
@Command(
    name = "check",
    description = {
      "Read all files of all commits and verify their checksums. Reads only, also while the index is"
          + " written.",
      "If a file is damaged its name is printed and the exit code is 1. Lucene's CheckIndex, which"
          + " takes longer, also compares the contents of files."
    })
public final class CheckCommand extends IndexCommand {

  @Option(names = "--threads", paramLabel = "N", description = "files read at a time (default: 4)")
  private int threads = 4;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "remember verified files in it, and skip those of an earlier run")
  private @Nullable Path state;

  private record Facts(int files, int verified, int verifiedBefore, int withoutChecksum) {}

  private final Map<String, String> damaged = new TreeMap<>();
  private final Set<String> missing = new HashSet<>();
  private final AtomicInteger verified = new AtomicInteger();
  private final AtomicInteger skipped = new AtomicInteger();
  private final AtomicInteger without = new AtomicInteger();

  @Override
  Object run() throws IOException {
    Set<String> known =
        state != null && Files.exists(state) ? new HashSet<>(Files.readAllLines(state)) : Set.of();
    Set<String> names;
    try (Directory directory = IndexFiles.open(folder);
        Progress progress = new Progress();
        BufferedWriter log = state == null ? null : writer(state)) {
      names = IndexFiles.names(IndexFiles.commits(directory));
      progress.start("files", names.size());
      IndexFiles.forEach(
          Math.max(1, threads),
          names,
          name -> {
            check(directory, name, known, log);
            progress.stepDone();
          });
      missing.retainAll(IndexFiles.names(IndexFiles.commits(directory)));
      missing.forEach(name -> damaged.put(name, "missing"));
    }
    say(
        "Files: %d; %d checksums are right, %d were so before, %d have none",
        names.size(), verified.get(), skipped.get(), without.get());
    if (!damaged.isEmpty()) {
      damaged.forEach((name, why) -> say("Damaged: %s: %s", name, why));
      throw new RunFailedException(
          "damaged files: "
              + damaged.size()
              + " of "
              + names.size()
              + ": "
              + String.join(", ", damaged.keySet()));
    }
    return new Facts(names.size(), verified.get(), skipped.get(), without.get());
  }

  private static BufferedWriter writer(Path file) throws IOException {
    return Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void check(
      Directory directory, String name, Set<String> known, @Nullable BufferedWriter log)
      throws IOException {
    try {
      Path file = folder.resolve(name);
      String mark = Files.size(file) + " " + Files.getLastModifiedTime(file) + " " + name;
      if (known.contains(mark)) {
        skipped.incrementAndGet();
        return;
      }
      (IndexFiles.hasRightChecksum(directory, name) ? verified : without).incrementAndGet();
      if (log != null) {
        synchronized (log) {
          log.write(mark + "\n");
          log.flush();
        }
      }
    } catch (NoSuchFileException | FileNotFoundException _) {
      // Deleted by a writer, unless its commit is still there.
      synchronized (damaged) {
        missing.add(name);
      }
    } catch (IOException e) {
      synchronized (damaged) {
        damaged.put(name, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
  }
}
