// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.IOFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a complete file, in one part, or in several of one power-of-two length; the last
 * may be shorter.
 *
 * <p>Callers of {@link #parts} must ensure that no read outlives the memory. Callers of {@link
 * #chunks} need not: its first call creates an arena that guards the memory, whose release then
 * waits until the arena is closed. The owner makes one call at a time.
 */
public final class FileContents {

  /** More memory than this is released in the background: the system may take it, which is slow. */
  private static final long LARGEST_RELEASED_AT_ONCE = 1L << 22;

  private final MemorySegment[] parts;
  private final long partBytes;
  private final long memoryBytes;
  private final Runnable release;
  private final IOFunction<CountedArena, MemorySegment[]> guard;
  private @Nullable CountedArena arena;
  private MemorySegment @Nullable [] chunks;

  /**
   * The memory of a file.
   *
   * @param parts the file's bytes, valid until {@code release} runs
   * @param partBytes length of each part but the last; a power of two, not less than the only one
   * @param memoryBytes how much memory they take
   * @param release gives the memory back
   * @param guard returns the same bytes, but access throws once the arena is closed
   */
  public FileContents(
      MemorySegment[] parts,
      long partBytes,
      long memoryBytes,
      Runnable release,
      IOFunction<CountedArena, MemorySegment[]> guard) {
    this.parts = parts;
    this.partBytes = partBytes;
    this.memoryBytes = memoryBytes;
    this.release =
        () -> {
          LiveResource.MEMORY_BYTES.add(-memoryBytes);
          release.run();
        };
    this.guard = guard;
    LiveResource.MEMORY_BYTES.add(memoryBytes);
  }

  /** The memory of a file; the arena allocated it and releases it when closed. */
  FileContents(MemorySegment bytes, CountedArena arena) {
    this.parts = new MemorySegment[] {bytes};
    this.partBytes = Chunks.LARGEST_BYTES;
    this.memoryBytes = bytes.byteSize();
    this.release = () -> {};
    this.guard = _ -> new MemorySegment[] {bytes};
    this.arena = arena;
  }

  public long length() {
    return Chunks.lengthOf(parts, partBytes);
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** The file's bytes, which must not be read after their release. */
  public List<MemorySegment> parts() {
    return Arrays.stream(parts).map(MemorySegment::asReadOnly).toList();
  }

  /** Sets the bytes of a file in one part, before the file can be opened. */
  void set(byte[] bytes, int length) {
    MemorySegment.copy(bytes, 0, parts[0], ValueLayout.JAVA_BYTE, 0, length);
  }

  /** Length of each of the {@link #parts} but the last. */
  long partBytes() {
    return partBytes;
  }

  /** The length of the chunks of {@link #chunks}: a power of two, at most the given one. */
  long chunkBytes(long maxBytes) {
    return parts.length == 1 ? maxBytes : Math.min(maxBytes, partBytes);
  }

  /**
   * The file's bytes, cut as {@link Chunks#of} does; a read after their release throws.
   *
   * @param chunkBytes what {@link #chunkBytes(long)} returned
   */
  MemorySegment[] chunks(long chunkBytes) throws IOException {
    MemorySegment[] known = chunks;
    if (known == null) {
      List<MemorySegment> all = new ArrayList<>();
      for (MemorySegment part : guarded()) {
        all.addAll(List.of(Chunks.of(part.asReadOnly(), chunkBytes)));
      }
      known = all.toArray(MemorySegment[]::new);
      chunks = known;
    }
    return known;
  }

  /**
   * The bytes of a file in one part, which any thread may write as well as read; an access after
   * their release throws.
   */
  public MemorySegment writable() throws IOException {
    return guarded()[0];
  }

  private MemorySegment[] guarded() throws IOException {
    CountedArena guarding = arena;
    if (guarding == null) {
      guarding = new CountedArena(LiveResource.MEMORY_BYTES, release);
      arena = guarding;
    }
    return guard.apply(guarding);
  }

  /** Releases the memory, in the background if it may still be read. */
  public void release(Reaper reaper) {
    if (arena != null) {
      reaper.retire(arena);
    } else if (memoryBytes > LARGEST_RELEASED_AT_ONCE) {
      reaper.retire(new CountedArena(LiveResource.MEMORY_BYTES, release));
    } else {
      release.run();
    }
  }
}
