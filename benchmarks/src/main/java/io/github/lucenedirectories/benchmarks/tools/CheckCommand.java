package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexFileNames;
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
      description =
          "remember verified files in it until all are, and skip those of a run that was interrupted")
  private @Nullable Path state;

  @Option(
      names = "--accept-foreign",
      description = "accept files of a codec that writes neither headers nor checksums")
  private boolean acceptForeign;

  private record Facts(
      int files,
      int verified,
      int verifiedBefore,
      int withoutChecksum,
      Map<String, String> damaged) {}

  private final Map<String, String> damaged = Collections.synchronizedMap(new TreeMap<>());
  private final Set<String> missing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger verified = new AtomicInteger();
  private final AtomicInteger skipped = new AtomicInteger();
  private final AtomicInteger without = new AtomicInteger();
  private int files;

  @Override
  Object run() throws IOException {
    Set<String> known =
        state != null && Files.exists(state) ? new HashSet<>(Files.readAllLines(state)) : Set.of();
    try (Directory directory = IndexFiles.open(folder);
        Progress progress = new Progress();
        BufferedWriter log = state == null ? null : writer(state)) {
      Set<String> names = IndexFiles.names(IndexFiles.commits(directory, this::unreadable));
      if (!damaged.isEmpty()) {
        // Their files are not known: all files that look like some.
        for (String name : directory.listAll()) {
          if (IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
            names.add(name);
          }
        }
      }
      files = names.size();
      progress.start("files", files);
      IndexFiles.forEach(
          Math.max(1, threads),
          names,
          name -> {
            check(directory, name, known, log);
            progress.stepDone();
          });
      missing.retainAll(IndexFiles.names(IndexFiles.commits(directory, (_, _) -> {})));
      missing.forEach(name -> damaged.put(name, "missing"));
    }
    if (state != null && damaged.isEmpty()) {
      Files.delete(state);
    }
    damaged.forEach((name, why) -> say("Damaged: %s: %s", name, why));
    say(
        "Files: %d; %d checksums are right, %d were so before, %d have none",
        files, verified.get(), skipped.get(), without.get());
    return new Facts(files, verified.get(), skipped.get(), without.get(), damaged);
  }

  @Override
  void end() {
    if (!damaged.isEmpty()) {
      throw new RunFailedException(
          "damaged files: "
              + damaged.size()
              + " of "
              + files
              + ": "
              + String.join(", ", damaged.keySet()));
    }
  }

  private static BufferedWriter writer(Path file) throws IOException {
    return Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void unreadable(String commit, IOException why) {
    damaged.put(commit, oneLine(why));
  }

  private static String oneLine(IOException e) {
    return e.toString().lines().findFirst().orElse("");
  }

  private void check(
      Directory directory, String name, Set<String> known, @Nullable BufferedWriter log)
      throws IOException {
    String mark;
    try {
      Path file = folder.resolve(name).toRealPath();
      mark = Files.size(file) + " " + Files.getLastModifiedTime(file) + " " + file;
      if (known.contains(mark)) {
        skipped.incrementAndGet();
        return;
      }
      if (IndexFiles.hasRightChecksum(directory, name)) {
        verified.incrementAndGet();
      } else if (acceptForeign) {
        without.incrementAndGet();
      } else {
        damaged.put(name, "has neither a header nor a checksum (or: --accept-foreign)");
        return;
      }
    } catch (NoSuchFileException | FileNotFoundException _) {
      // Deleted by a writer, unless its commit is still there.
      missing.add(name);
      return;
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      damaged.put(name, oneLine(e));
      return;
    }
    if (log != null) {
      synchronized (log) {
        log.write(mark + "\n");
        log.flush();
      }
    }
  }
}
