package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What there is of persistent memory, and what a report says of what stood for it. */
public final class PersistentMemory {
  private static final long SMALL_POOL_BYTES = 1L << 20;

  /* How a PmemDirectory tells its mode. */
  private static final String REAL = "mode=PMEM";
  private static final String EMULATED = "mode=EMULATED";
  private static final String FILE = "mode=FILE";

  /* How a MemoryDirectory tells that ordinary memory is behind it. */
  private static final Pattern MAPPED = Pattern.compile("MMapDirectory@.* on tmpfs");

  private PersistentMemory() {}

  /**
   * Makes a pool on persistent memory and removes it.
   *
   * @throws IOException if that cannot be, with the reason
   */
  public static void probe(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      throw new IOException("no such folder: " + place);
    }
    Path folder = Files.createTempDirectory(place, "lucene-directories-");
    try (PmemDirectory pools =
        PmemDirectory.builder(folder).mode(PmemMode.PMEM).initialBytes(SMALL_POOL_BYTES).build()) {
      pools.listAll();
    } finally {
      Workspace.deleteTree(folder);
    }
  }

  /** Why something failed, in one line. */
  public static String reason(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message.replace('\n', ' ');
  }

  /**
   * What a reader has to know of the columns on persistent memory: nothing where there are none.
   *
   * @param directories of each column, what the directory says of itself
   */
  public static List<String> notes(Map<String, String> directories) {
    List<String> real = with(directories, d -> d.contains(REAL));
    List<String> emulated = with(directories, d -> d.contains(EMULATED));
    List<String> files = with(directories, d -> d.contains(FILE));
    List<String> mapped = with(directories, d -> MAPPED.matcher(d).matches());
    List<String> notes = new ArrayList<>();
    if (!real.isEmpty()) {
      notes.add("On persistent memory, in mode PMEM: " + String.join(", ", real) + ".");
    } else if (!emulated.isEmpty() || !files.isEmpty() || !mapped.isEmpty()) {
      notes.add(
          "No persistent memory was measured: the figures of what stands for it are not those of"
              + " persistent memory.");
    }
    if (!emulated.isEmpty()) {
      notes.add(
          "Emulated, in mode EMULATED: "
              + String.join(", ", emulated)
              + ". Cache lines are flushed as to persistent memory, but to ordinary memory, which on"
              + " tmpfs is faster and loses everything with the machine.");
    }
    if (!files.isEmpty()) {
      notes.add(
          "In mode FILE: "
              + String.join(", ", files)
              + ". The pools are synced by the system as files are.");
    }
    if (!mapped.isEmpty()) {
      notes.add("Mapped files in ordinary memory (tmpfs): " + String.join(", ", mapped) + ".");
    }
    return notes;
  }

  private static List<String> with(Map<String, String> directories, Predicate<String> which) {
    return directories.entrySet().stream()
        .filter(column -> which.test(column.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
