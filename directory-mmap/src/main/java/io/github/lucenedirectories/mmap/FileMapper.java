package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.core.CountedArena;
import io.github.lucenedirectories.core.Interrupts;
import io.github.lucenedirectories.core.LiveResource;
import io.github.lucenedirectories.core.NativeCalls;
import io.github.lucenedirectories.core.PathCounter;
import io.github.lucenedirectories.core.Reaper;
import io.github.lucenedirectories.core.SegmentIndexInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/** Maps files into memory, each with an arena of its own that is closed in the background. */
final class FileMapper {

  /*
   * Lucene's MMapDirectory shares one arena between the files of a segment, because closing an arena
   * is dear for the thread that does it. Here no caller closes an arena, so each file has its own
   * and is unmapped as soon as it is closed, whatever other files of the segment do.
   */

  private final @Nullable NativeCalls calls = NativeCalls.get().orElse(null);
  private final long chunkBytes;
  private final Reaper reaper;

  /**
   * A mapper whose inputs treat files longer than {@code chunkBytes}, a power of two, as chunks of
   * that length.
   */
  FileMapper(long chunkBytes, Reaper reaper) {
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
  }

  /** Whether a file, or the files of a folder, can be mapped: those of the default file system. */
  static boolean canMap(Path path) {
    return Unwrappable.unwrapAll(path).getFileSystem() == FileSystems.getDefault();
  }

  /** Maps a whole file. */
  IndexInput open(Path file, IOContext context) throws IOException {
    CountedArena arena = new CountedArena(LiveResource.MAPPED_BYTES);
    SegmentIndexInput input;
    try {
      input =
          SegmentIndexInput.open(
              "SegmentIndexInput(path=\"" + file + "\")",
              map(file, arena),
              chunkBytes,
              new MappedResidency(calls),
              () -> reaper.retire(arena));
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
    input.updateIOContext(context);
    return input;
  }

  private MemorySegment map(Path file, CountedArena arena) throws IOException {
    // The layers that a test puts around a file system cannot map.
    Path path = Unwrappable.unwrapAll(file);
    MemorySegment mapped =
        Interrupts.shield(
            () -> {
              try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                long length = channel.size();
                return length == 0 ? MemorySegment.NULL : mapAll(channel, length, file, arena);
              }
            });
    PathCounter.CHANNEL_MAP.increment();
    arena.addBytes(mapped.byteSize());
    return mapped;
  }

  private MemorySegment mapAll(FileChannel channel, long length, Path file, CountedArena arena)
      throws IOException {
    try {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, length, arena);
      return calls == null ? mapped : calls.unmappedView(mapped);
    } catch (IOException e) {
      if (e.getCause() instanceof OutOfMemoryError) {
        throw new IOException(
            "cannot map: length="
                + length
                + ", path="
                + file
                + "; the address space (ulimit -v) or the number of mappings (sysctl"
                + " vm.max_map_count) is exhausted",
            e);
      }
      throw e;
    }
  }
}
