// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.os.Parallel;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/** Maps files into memory, each with an arena of its own that is closed in the background. */
final class FileMapper {

  /*
   * Lucene's MMapDirectory shares one arena between the files of a segment, because closing an
   * arena is expensive for the calling thread. Here the reaper closes arenas, so each file has its
   * own and is unmapped soon after it is closed, even if other files of the segment stay open.
   */

  private static final long PRELOAD_BYTES = 16L << 20;
  private static final int PRELOAD_THREADS = 4;

  private final @Nullable NativeCalls calls = NativeCalls.get().orElse(null);
  private final long chunkBytes;
  private final Reaper reaper;
  private final MappingCount mappings;
  private final Set<String> preload;

  /**
   * A mapper.
   *
   * @param chunkBytes longer files are read as chunks of that length, a power of two
   * @param preload the extensions of the files to load when they are opened, without a dot; {@code
   *     "*"} for all
   */
  FileMapper(long chunkBytes, Reaper reaper, MappingCount mappings, Set<String> preload) {
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
    this.mappings = mappings;
    this.preload = preload;
  }

  boolean hasRoom() {
    return mappings.hasRoom();
  }

  /** Whether a file, or the files of a folder, can be mapped: those of the default file system. */
  static boolean canMap(Path path) {
    return Unwrappable.unwrapAll(path).getFileSystem() == FileSystems.getDefault();
  }

  /**
   * Maps a file.
   *
   * @param pressure as for {@link MappedResidency}
   * @param pinned as for {@link MappedResidency}
   */
  IndexInput open(
      Path file, IOContext context, @Nullable MemoryPressure pressure, @Nullable AccessMode pinned)
      throws IOException {
    MappedResidency residency = new MappedResidency(file, calls, pressure, pinned, mappings);
    CountedArena arena = new CountedArena(LiveResource.MAPPED_BYTES, residency::unmapped);
    try {
      MemorySegment bytes = map(file, arena);
      PathCounter.CHANNEL_MAP.increment();
      arena.addBytes(bytes.byteSize());
      if (calls != null && bytes.byteSize() > 0) {
        NativeCalls unmapping = calls;
        arena.releaseIfDropped(file.toString(), () -> residency.release(unmapping));
      }
      String name = file.getFileName().toString();
      preload(name, bytes);
      residency.mapped(bytes, name, context);
      return SegmentIndexInput.open(
          "SegmentIndexInput(path=\"" + file + "\")",
          Chunks.of(bytes, chunkBytes),
          chunkBytes,
          new MappedPages(residency, () -> mapAgain(file, residency, arena)),
          () -> {
            residency.closed();
            reaper.retire(arena);
          });
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  /** Loads a file into memory in pieces, several at a time. */
  private void preload(String name, MemorySegment file) throws IOException {
    String extension = name.substring(name.lastIndexOf('.') + 1);
    if (!preload.contains("*") && !preload.contains(extension)) {
      return;
    }
    List<MemorySegment> pieces = List.of(Chunks.of(file, PRELOAD_BYTES));
    Parallel.forEach(
        pieces,
        PRELOAD_THREADS,
        piece -> {
          if (calls == null) {
            piece.load();
          } else if (!calls.advise(piece, Advice.POPULATE_READ)) {
            // Linux before 5.14 has no way to wait for it.
            calls.advise(piece, Advice.WILL_NEED);
          }
        });
  }

  private MemorySegment map(Path file, CountedArena arena) throws IOException {
    // The wrappers that a test puts around a file system cannot map.
    Path path = Unwrappable.unwrapAll(file);
    return Uninterruptibles.call(
        () -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long length = channel.size();
            return length == 0 ? MemorySegment.NULL : mapAll(channel, length, file, arena);
          }
        });
  }

  /** Maps a file a second time; returns an empty segment if there is no room or it was replaced. */
  private MemorySegment mapAgain(Path file, MappedResidency residency, CountedArena arena)
      throws IOException {
    if (!mappings.hasRoom()) {
      return MemorySegment.NULL;
    }
    MemorySegment mapped = map(file, arena);
    residency.mappedAgain(mapped);
    return mapped.byteSize() == residency.bytes() ? mapped : MemorySegment.NULL;
  }

  private MemorySegment mapAll(FileChannel channel, long length, Path file, CountedArena arena)
      throws IOException {
    try {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, length, arena);
      return calls == null ? mapped : calls.unmappedView(mapped);
    } catch (IOException e) {
      if (e.getCause() instanceof OutOfMemoryError) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "cannot map: length=%s, path=%s; the process may have no more addresses "
                    + "(ulimit -v unlimited) or no more mappings: %s",
                length,
                file,
                mappings.remedy()),
            e);
      }
      throw e;
    }
  }
}
