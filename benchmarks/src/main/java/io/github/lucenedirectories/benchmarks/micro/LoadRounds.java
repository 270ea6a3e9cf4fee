package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.RunFailedException;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;

/**
 * Loads of an index into a {@link RamDirectory} in turns with bare reads of the same files by as
 * many threads into memory as fresh and of the same page size. All memory goes back to the system
 * before the next turn.
 */
final class LoadRounds {
  private static final double NANOS = 1e9;
  private static final int MOST_PASSES = 10;

  private final LoadRamSpec spec;
  private final NativeCalls calls;
  private final Directory source;
  private final Set<String> names;
  private final ParallelRead reads;
  private final List<Double> load = new ArrayList<>();
  private final List<Double> read = new ArrayList<>();
  private final List<Double> readAgain = new ArrayList<>();
  private long readHugeBytes;

  /**
   * Rounds over the files of every commit.
   *
   * @param source the directory of the index at the specified path
   */
  LoadRounds(NativeCalls calls, Directory source, LoadRamSpec spec) throws IOException {
    this.calls = calls;
    this.source = source;
    this.spec = spec;
    this.names = committed(source);
    Path index = Path.of(spec.index());
    this.reads =
        new ParallelRead(
            calls.files(), names.stream().map(index::resolve).toList(), spec.threads());
  }

  private static Set<String> committed(Directory source) throws IOException {
    Set<String> names = new TreeSet<>();
    for (IndexCommit commit : DirectoryReader.listCommits(source)) {
      names.addAll(commit.getFileNames());
    }
    return names;
  }

  /** Measures, once. */
  LoadTimes measure() throws IOException {
    // The first load also tells what kind of pages the other side has to get.
    long loadedHugeBytes = hugeBytesOfLoaded();
    boolean hugePages = loadedHugeBytes > 0;
    fillPageCache();
    for (int round = 0; round < spec.warmups() + spec.rounds(); round++) {
      if (round % 2 == 0) {
        timeLoad();
        timeReads(hugePages);
      } else {
        timeReads(hugePages);
        timeLoad();
      }
    }
    requirePageCache();
    return new LoadTimes(
        names.size(),
        reads.fileBytes(),
        counted(load),
        counted(read),
        counted(readAgain),
        heapGrowth(),
        loadedHugeBytes,
        readHugeBytes);
  }

  private List<Double> counted(List<Double> all) {
    return List.copyOf(all.subList(spec.warmups(), all.size()));
  }

  private Directory load() throws IOException {
    return RamDirectory.load(source, RamDirectory.builder().loadThreads(spec.threads()));
  }

  private void timeLoad() throws IOException {
    long start = System.nanoTime();
    try (Directory loaded = load()) {
      load.add((System.nanoTime() - start) / NANOS);
      check(loaded);
    }
  }

  private void check(Directory loaded) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += loaded.fileLength(name);
    }
    if (bytes != reads.fileBytes()) {
      throw new RunFailedException(
          "loaded bytes=" + bytes + ", expected " + reads.fileBytes() + ": " + loaded);
    }
  }

  private void timeReads(boolean hugePages) throws IOException {
    long hugeBytesBefore = AnonymousHugePages.bytes();
    long start = System.nanoTime();
    try (FreshMemory memory = new FreshMemory(calls, reads.memoryBytes(), hugePages)) {
      reads.into(memory.segment());
      read.add((System.nanoTime() - start) / NANOS);
      long again = System.nanoTime();
      reads.into(memory.segment());
      readAgain.add((System.nanoTime() - again) / NANOS);
      readHugeBytes = AnonymousHugePages.bytes() - hugeBytesBefore;
    }
  }

  private long hugeBytesOfLoaded() throws IOException {
    long before = AnonymousHugePages.bytes();
    try (Directory _ = load()) {
      return AnonymousHugePages.bytes() - before;
    }
  }

  private long heapGrowth() throws IOException {
    // The first look at the heap loads what all of them need.
    LiveHeap.now();
    LiveHeap empty = LiveHeap.now();
    try (Directory _ = load()) {
      return LiveHeap.now().bytes() - empty.bytes();
    }
  }

  /**
   * Loads until all is in the page cache: the system may have put pages out that it thought cold.
   */
  private void fillPageCache() throws IOException {
    for (int pass = 1; pass < MOST_PASSES && missing().isPresent(); pass++) {
      load().close();
    }
    requirePageCache();
  }

  /** Neither side may wait for the disk. */
  private void requirePageCache() throws IOException {
    Optional<String> missing = missing();
    if (missing.isPresent()) {
      throw new RunFailedException(
          "not all of "
              + missing.get()
              + " is in the page cache: there is too little memory for it, or something else needs"
              + " it");
    }
  }

  /** A file of which not all is in the page cache. */
  private Optional<String> missing() throws IOException {
    try (Directory mapped = new MMapDirectory(Path.of(spec.index()))) {
      for (String name : names) {
        try (IndexInput in = mapped.openInput(name, IOContext.DEFAULT)) {
          if (in.isLoaded().equals(Optional.of(false))) {
            return Optional.of(name);
          }
        }
      }
      return Optional.empty();
    }
  }
}
