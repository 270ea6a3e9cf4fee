// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.store.Directory;
import org.junit.rules.TestRule;

/**
 * One directory, with one choice of its options, that every suite is run against: what it is able
 * to do and where its edges are.
 *
 * @param name what a report calls it: the class and the options
 * @param opener opens it
 * @param chunkable whether the length of chunks can be chosen
 * @param chunkBytes length of the chunks that a longer file lies in; {@link #CONTIGUOUS} if files
 *     are never cut
 * @param storage where the bytes live
 * @param way how it reads
 */
public record DirectoryUnderTest(
    String name, Opener opener, boolean chunkable, long chunkBytes, Storage storage, Way way)
    implements Subject {

  /** Value of {@code chunkBytes} for files that are never cut in chunks. */
  public static final long CONTIGUOUS = Long.MAX_VALUE;

  private static final Map<PathCounter, Set<PathCounter>> FALLBACKS =
      Map.of(
          PathCounter.NATIVE_READ_FILE, Set.of(PathCounter.CHANNEL_READ_FILE),
          PathCounter.NATIVE_MEMORY, Set.of(PathCounter.ALLOCATED_MEMORY),
          PathCounter.NATIVE_ADVICE, Set.of());

  /** Where the bytes live. */
  public enum Storage {
    FILES,
    /** Outside the heap. */
    MEMORY,
    /** Outside the heap, and in files once they are synced. */
    MEMORY_AND_FILES,
    /** Outside the heap, in a journal once they are synced, and later in files. */
    MEMORY_AND_JOURNAL,
    /** In persistent memory or what stands for it. */
    POOLS
  }

  /** Opens a directory whose files longer than {@code chunkBytes}, a power of two, are cut. */
  @FunctionalInterface
  public interface Opener {
    Directory open(Path path, long chunkBytes) throws IOException;
  }

  /**
   * How a directory reads.
   *
   * @param loaded what {@code isLoaded} of its inputs answers
   * @param memorySegments whether its inputs are {@code MemorySegmentAccessInput}
   * @param edgeBytes distance of the places where a read has to do something special (a chunk or a
   *     block ends); tests concentrate there
   * @param nativePaths code paths that opening and reading files must take with native access;
   *     without it their fallbacks take their place
   */
  public record Way(
      Loaded loaded, boolean memorySegments, int edgeBytes, Set<PathCounter> nativePaths) {}

  /** What {@code isLoaded} answers. */
  public enum Loaded {
    /** True for bytes that were just read: the kernel says so, or they cannot be elsewhere. */
    ALWAYS,
    /** Nothing: the bytes are read by positions. */
    NEVER,
    /** True or nothing, depending on how an input reads. */
    AS_READ
  }

  @Override
  public Directory open(Path path) throws IOException {
    return opener.open(path, chunkBytes);
  }

  @Override
  public DirectoryUnderTest chunked(long bytes) {
    if (!chunkable) {
      throw new IllegalStateException("cannot be cut in chunks: " + name);
    }
    Set<PathCounter> paths = new HashSet<>(way.nativePaths);
    if (paths.remove(PathCounter.CONTIGUOUS_INPUT)) {
      paths.add(PathCounter.CHUNKED_INPUT);
    }
    int edges = (int) Math.min(bytes, 1 << 14);
    Way inChunks = new Way(way.loaded, way.memorySegments, edges, paths);
    String longer = name + "(chunkBytes=" + bytes + ")";
    return new DirectoryUnderTest(longer, opener, false, bytes, storage, inChunks);
  }

  @Override
  public Set<Promise> promises() {
    Set<Promise> promises = EnumSet.allOf(Promise.class);
    if (!keepsFiles()) {
      promises.remove(Promise.FILES);
    }
    if (storage == Storage.MEMORY) {
      promises.remove(Promise.DURABLE);
    }
    return promises;
  }

  @Override
  public int edgeBytes() {
    return way.edgeBytes();
  }

  @Override
  public boolean readsLikeAnother() {
    return !DirectoriesUnderTest.readers().contains(this);
  }

  @Override
  public TestRule rule() {
    return LibraryRule.make();
  }

  /** Whether what was synced is in ordinary files, which other directories read. */
  public boolean syncsFiles() {
    return storage == Storage.FILES || storage == Storage.MEMORY_AND_FILES;
  }

  /** Whether every file is an ordinary file from its creation on. */
  public boolean keepsFiles() {
    return storage == Storage.FILES;
  }

  /** The code paths that must be seen in this mode. */
  public Set<PathCounter> paths(TestMode mode) {
    return mode.nativeAccess()
        ? way.nativePaths
        : way.nativePaths.stream()
            .flatMap(path -> FALLBACKS.getOrDefault(path, Set.of(path)).stream())
            .collect(Collectors.toSet());
  }

  /** The code paths that must not be seen in this mode. */
  public Set<PathCounter> forbiddenPaths(TestMode mode) {
    Set<PathCounter> others =
        new HashSet<>(paths(mode.nativeAccess() ? TestMode.NO_NATIVE : TestMode.SCALAR));
    others.removeAll(paths(mode));
    return others;
  }

  @Override
  public String toString() {
    return name;
  }
}
