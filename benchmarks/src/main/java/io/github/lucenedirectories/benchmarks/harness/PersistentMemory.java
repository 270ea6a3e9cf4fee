// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --dax}, which says where persistent memory is, and what reports say of it. */
public final class PersistentMemory {
  private static final long SMALL_POOL_BYTES = 1L << 20;

  private static final String REAL = "mode=PMEM";

  /* By what directories say of themselves. */
  private static final SequencedMap<String, String> MEANINGS = new LinkedHashMap<>();

  static {
    MEANINGS.put(REAL, "On persistent memory");
    MEANINGS.put(
        "mode=EMULATED",
        "Cache lines are flushed as to persistent memory, but to ordinary memory, which is faster and"
            + " loses everything when the machine stops");
    MEANINGS.put("mode=FILE", "The system syncs the pools as files");
    MEANINGS.put("MMapDirectory@/dev/shm/", "Mapped files in ordinary memory (tmpfs)");
  }

  @Option(
      names = "--dax",
      paramLabel = "FOLDER",
      description =
          "a folder on persistent memory, on a file system mounted with -o dax (default: none; a"
              + " tmpfs takes its place)")
  private @Nullable Path dax;

  /** The folder that the user named; null for none. */
  public @Nullable Path folder() {
    return dax;
  }

  /** Refuses a folder that is not on persistent memory. */
  public void check() {
    if (dax != null) {
      try {
        probe(dax);
      } catch (IOException | RuntimeException e) {
        String remedy = "; leave it out to use ordinary memory in place of persistent memory";
        throw new UsageException("--dax " + dax + ": " + reason(e) + remedy, e);
      }
    }
  }

  /** A new workspace, whose folders in memory are on persistent memory if the user named some. */
  public Workspace workspace() throws IOException {
    return dax == null ? Workspace.create() : Workspace.create(dax);
  }

  /** Makes a pool on persistent memory and removes it. */
  public static void probe(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      throw new IOException("no such folder: " + place);
    }
    Path folder = Files.createTempDirectory(place, "lucene-directories-");
    try (PmemDirectory pools =
        PmemDirectory.builder(folder).mode(PmemMode.PMEM).initialBytes(SMALL_POOL_BYTES).build()) {
      pools.listAll();
    } finally {
      IOUtils.rm(folder);
    }
  }

  public static String reason(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message.replace('\n', ' ');
  }

  /** Adds what readers have to know of pools, and what directories say of themselves. */
  public static <S> Results noted(
      Results results, Map<String, List<S>> samples, Function<S, String> directory) {
    Map<String, String> directories = new LinkedHashMap<>();
    samples.forEach((label, forks) -> directories.put(label, directory.apply(forks.get(0))));
    results.environment().put("directories", directories);
    return results.noting(notes(directories));
  }

  static List<String> notes(Map<String, String> directories) {
    List<String> notes = new ArrayList<>();
    MEANINGS.forEach(
        (mark, meaning) -> {
          String labels = labels(directories, mark);
          if (!labels.isEmpty()) {
            notes.add(meaning + ": " + labels + ".");
          }
        });
    if (!notes.isEmpty() && labels(directories, REAL).isEmpty()) {
      notes.addFirst(
          "No persistent memory was measured. Its figures differ from those of ordinary memory and"
              + " of files.");
    }
    return notes;
  }

  private static String labels(Map<String, String> directories, String mark) {
    return directories.entrySet().stream()
        .filter(column -> column.getValue().contains(mark))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }
}
