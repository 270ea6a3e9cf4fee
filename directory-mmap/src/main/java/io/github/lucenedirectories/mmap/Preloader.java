// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.LoadProgress;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/** Loads mapped files into memory when they are opened, in pieces and several at a time. */
final class Preloader {

  static final Preloader NONE = new Preloader((_, _) -> false, (_, _, _) -> {});

  private static final long PIECE_BYTES = 16L << 20;
  private static final int THREADS = 4;

  private final BiPredicate<String, IOContext> files;
  private final LoadProgress progress;

  /**
   * A preloader.
   *
   * @param files the files to load, by name and context
   */
  Preloader(BiPredicate<String, IOContext> files, LoadProgress progress) {
    this.files = files;
    this.progress = progress;
  }

  void load(String name, IOContext context, MemorySegment file, @Nullable NativeCalls calls)
      throws IOException {
    if (!files.test(name, context)) {
      return;
    }
    List<MemorySegment> pieces = new ArrayList<>();
    for (long at = 0; at < file.byteSize(); at += PIECE_BYTES) {
      pieces.add(file.asSlice(at, Math.min(PIECE_BYTES, file.byteSize() - at)));
    }
    AtomicLong loaded = new AtomicLong();
    Parallel.forEach(
        pieces,
        THREADS,
        "preload",
        piece -> {
          if (calls == null) {
            piece.load();
          } else if (!calls.advise(piece, Advice.POPULATE_READ)) {
            // Linux before 5.14 has no way to wait for it.
            calls.advise(piece, Advice.WILL_NEED);
          }
          synchronized (progress) {
            progress.loaded(name, loaded.addAndGet(piece.byteSize()), file.byteSize());
          }
        });
  }
}
