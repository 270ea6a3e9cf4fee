package io.github.lucenedirectories.benchmarks.directories;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One column of a comparison: a directory in JVMs of its own, or one that shares its JVM with
 * another that is searched in turn with it but not timed.
 *
 * @param label unique in its comparison
 * @param beside the directory that is searched in the same JVM; null for none
 */
public record Entry(String label, ReadableDirectory directory, @Nullable ReadableDirectory beside) {
  private static final String BESIDE = "+";

  /** The baseline, first in every comparison. */
  public static final Entry BASELINE =
      new Entry(BenchmarkDirectory.BASELINE.label(), BenchmarkDirectory.BASELINE, null);

  /** The baseline a second time, so that a reader sees how far two equal columns lie apart. */
  public static final Entry AGAIN =
      new Entry(
          BenchmarkDirectory.BASELINE.label() + " (again)", BenchmarkDirectory.BASELINE, null);

  /** The columns that show what two directories in one JVM cost each other, ours and Lucene's. */
  public static final List<String> MIXED =
      List.of(
          "ByteBuffersDirectory",
          "MappedDirectory",
          "RamDirectory",
          "NRTCachingDirectory",
          "RamOverMapped",
          "MMapDirectory+ByteBuffersDirectory",
          "MappedDirectory+RamDirectory");

  /**
   * The entry of a directory's name, or of two joined by {@code +}: the first beside the second.
   */
  public static Entry parse(String text) {
    int plus = text.indexOf(BESIDE);
    if (plus < 0) {
      ReadableDirectory directory = ReadableDirectory.named(text.strip());
      return new Entry(directory.label(), directory, null);
    }
    ReadableDirectory timed = ReadableDirectory.named(text.substring(0, plus).strip());
    ReadableDirectory beside = ReadableDirectory.named(text.substring(plus + 1).strip());
    return new Entry(timed.label() + BESIDE + beside.label(), timed, beside);
  }

  /** The columns for the names a user gave: the baseline and its double first, each name once. */
  public static List<Entry> columns(List<String> names) {
    List<Entry> columns = new ArrayList<>(List.of(BASELINE, AGAIN));
    for (String name : names) {
      Entry entry = parse(name);
      if (!columns.contains(entry)) {
        columns.add(entry);
      }
    }
    return List.copyOf(columns);
  }

  /** Whether any part of it holds index bytes on the Java heap. */
  public boolean usesHeap() {
    return directory.usesHeap() || (beside != null && beside.usesHeap());
  }
}
