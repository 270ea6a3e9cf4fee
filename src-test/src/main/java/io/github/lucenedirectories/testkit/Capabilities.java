package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.PathCounter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a directory is able to do and where its edges are.
 *
 * @param storage where the bytes live
 * @param loaded what {@code isLoaded} of its inputs answers
 * @param memorySegments whether its inputs are {@code MemorySegmentAccessInput}
 * @param chunkBytes length of the chunks that a longer file lies in; {@link #CONTIGUOUS} if files
 *     are never cut
 * @param edgeBytes distance of the places where a read has to do something special (a chunk or a
 *     block ends); tests concentrate there
 * @param nativePaths code paths that opening and reading files must take with native access;
 *     without it their fallbacks take their place
 */
public record Capabilities(
    Storage storage,
    Loaded loaded,
    boolean memorySegments,
    long chunkBytes,
    int edgeBytes,
    Set<PathCounter> nativePaths) {

  /** Value of {@code chunkBytes} for files that are never cut in chunks. */
  public static final long CONTIGUOUS = Long.MAX_VALUE;

  private static final Map<PathCounter, Set<PathCounter>> FALLBACKS =
      Map.of(
          PathCounter.NATIVE_READ_FILE, Set.of(PathCounter.CHANNEL_READ_FILE),
          PathCounter.NATIVE_MEMORY, Set.of(PathCounter.ALLOCATED_MEMORY),
          PathCounter.NATIVE_ADVICE, Set.of());

  /** Where the bytes of a directory live. */
  public enum Storage {
    /** In memory: a directory starts empty and ends with its close. */
    MEMORY,
    /** In memory, and what was synced in ordinary files too: only that is found again. */
    MEMORY_AND_FILES,
    /** In files of the directory's own kind: only what was synced is found again. */
    POOLS,
    /** In one ordinary file for each name, as Lucene's own directories keep them. */
    FILES
  }

  /** What {@code isLoaded} answers. */
  public enum Loaded {
    /** Always true: the bytes cannot be anywhere else. */
    ALWAYS,
    /** What the kernel or a cache says; true for bytes that were just read. */
    AS_MAPPED,
    /** Whether the bytes are still where they were read to: yes or no. */
    AS_FOUND,
    /** As mapped where the kernel can be asked about files that are not mapped, else nothing. */
    AS_CACHED,
    /** As one of the former two, whichever way an input reads. */
    AS_MAPPED_OR_CACHED
  }

  public Capabilities {
    nativePaths = Set.copyOf(nativePaths);
    if (edgeBytes <= 0 || chunkBytes <= 0) {
      throw new IllegalArgumentException("edgeBytes=" + edgeBytes + ", chunkBytes=" + chunkBytes);
    }
  }

  /** Whether files that were synced are there again after the directory was opened anew. */
  public boolean persistent() {
    return storage != Storage.MEMORY;
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
        ? nativePaths
        : nativePaths.stream()
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

  /** The same with its bytes kept elsewhere. */
  Capabilities withStorage(Storage elsewhere) {
    return new Capabilities(elsewhere, loaded, memorySegments, chunkBytes, edgeBytes, nativePaths);
  }

  /** The same with reads that are special at other places. */
  Capabilities withEdgeBytes(int bytes) {
    return new Capabilities(storage, loaded, memorySegments, chunkBytes, bytes, nativePaths);
  }

  /** The same directory with its files cut in chunks of {@code bytes}. */
  Capabilities withChunkBytes(long bytes) {
    Set<PathCounter> paths = new HashSet<>(nativePaths);
    if (paths.remove(PathCounter.CONTIGUOUS_INPUT)) {
      paths.add(PathCounter.CHUNKED_INPUT);
    }
    int edges = (int) Math.min(bytes, 1 << 14);
    return new Capabilities(storage, loaded, memorySegments, bytes, edges, paths);
  }
}
