package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;

/** A directory that a workload can compare: the way to read an existing index through it. */
public interface ReadableDirectory {

  /** What separates names on the command line: a comma that is not in brackets. */
  String SEPARATOR = ",(?![^\\[]*\\])";

  /** The name on the command line and in every report. */
  String label();

  /** Whether it holds index bytes on the Java heap. */
  boolean usesHeap();

  /** The share of the index that it copies into memory, on the heap or outside. */
  double shareInMemory();

  /**
   * Opens the index at a path for reading. The caller closes it.
   *
   * @throws IOException if the index cannot be read, or does not fit in memory
   */
  Directory open(Path index) throws IOException;

  /**
   * The directory of a name.
   *
   * @throws UsageException if there is none, naming all there are
   */
  static ReadableDirectory named(String name) {
    return SizedBlockCache.isMeant(name)
        ? SizedBlockCache.parse(name)
        : DirectoryNames.find(name, BenchmarkDirectory.values(), BenchmarkDirectory::label);
  }
}
