// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads mapped files into memory when they are opened, in pieces and several at a time.
 *
 * @param extensions of the files to load, without a dot; {@code "*"} for all
 */
record Preloader(Set<String> extensions) {

  static final Preloader NONE = new Preloader(Set.of());

  private static final long PIECE_BYTES = 16L << 20;
  private static final int THREADS = 4;

  Preloader(Set<String> extensions) {
    this.extensions = Set.copyOf(extensions);
  }

  void load(String name, MemorySegment file, @Nullable NativeCalls calls) throws IOException {
    String extension = name.substring(name.lastIndexOf('.') + 1);
    if (!extensions.contains("*") && !extensions.contains(extension)) {
      return;
    }
    List<MemorySegment> pieces = new ArrayList<>();
    for (long at = 0; at < file.byteSize(); at += PIECE_BYTES) {
      pieces.add(file.asSlice(at, Math.min(PIECE_BYTES, file.byteSize() - at)));
    }
    Parallel.forEach(
        pieces,
        THREADS,
        piece -> {
          if (calls == null) {
            piece.load();
          } else if (!calls.advise(piece, Advice.POPULATE_READ)) {
            // Linux before 5.14 has no way to wait for it.
            calls.advise(piece, Advice.WILL_NEED);
          }
        });
  }
}
