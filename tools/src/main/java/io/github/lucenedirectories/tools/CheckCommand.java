// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
      "If a file is damaged its name is printed and the exit code is 1. Lucene's CheckIndex needs an"
          + " index that no writer has open, checks the last commit alone, and compares contents too"
          + " with -level 2 or 3; its default is the checksums."
    })
public final class CheckCommand extends IndexCommand {

  private static final String RIGHT = "the checksum is right";
  private static final String RIGHT_BEFORE = "the checksum was right before";
  private static final String NO_CHECKSUM = "no checksum, which is accepted";
  private static final String MISSING = "missing";

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

  /** What was found of each file. */
  private final Map<String, String> found = new ConcurrentHashMap<>();

  @Override
  Map<String, Object> run() throws IOException {
    Set<String> known =
        state != null && Files.exists(state) ? new HashSet<>(Files.readAllLines(state)) : Set.of();
    try (Directory directory = IndexFiles.open(folder)) {
      Set<String> names = IndexFiles.names(IndexFiles.commits(directory, found));
      if (!found.isEmpty()) {
        // The files of these commits are not known: all files that look like some.
        for (String name : directory.listAll()) {
          if (IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
            names.add(name);
          }
        }
      }
      IndexFiles.forEach(names, threads, name -> found.put(name, check(directory, name, known)));
      // A writer may have deleted files, and all commits that have them.
      Set<String> left = IndexFiles.names(IndexFiles.commits(directory, new HashMap<>()));
      found.entrySet().removeIf(e -> e.getValue().equals(MISSING) && !left.contains(e.getKey()));
    }
    Map<String, String> damaged = new TreeMap<>(found);
    damaged.values().removeAll(Set.of(RIGHT, RIGHT_BEFORE, NO_CHECKSUM));
    if (state != null && damaged.isEmpty()) {
      Files.deleteIfExists(state);
    }
    Collection<String> all = found.values();
    return facts(
        "files", all.size(),
        "verified", Collections.frequency(all, RIGHT),
        "verifiedBefore", Collections.frequency(all, RIGHT_BEFORE),
        "withoutChecksum", Collections.frequency(all, NO_CHECKSUM),
        "damaged", damaged);
  }

  private String check(Directory directory, String name, Set<String> known) throws IOException {
    String mark;
    boolean isRight;
    try {
      Path file = folder.resolve(name).toRealPath();
      mark = Files.size(file) + " " + Files.getLastModifiedTime(file) + " " + file;
      if (known.contains(mark)) {
        return RIGHT_BEFORE;
      }
      isRight = Checksum.isRight(directory, name);
    } catch (NoSuchFileException | FileNotFoundException _) {
      return MISSING;
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return e.toString().lines().findFirst().orElse("");
    }
    if (!isRight && !acceptForeign) {
      return "has neither a header nor a checksum (or: --accept-foreign)";
    }
    remember(mark);
    return isRight ? RIGHT : NO_CHECKSUM;
  }

  private synchronized void remember(String mark) throws IOException {
    if (state != null) {
      Files.writeString(state, mark + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
