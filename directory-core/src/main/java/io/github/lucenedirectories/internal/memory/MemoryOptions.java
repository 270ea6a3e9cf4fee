// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.store.Chunks;
import org.jspecify.annotations.Nullable;

/**
 * How memory for files is obtained.
 *
 * @param owner the name that errors give to the directory that owns the memory
 * @param chunkBytes a longer file lies in chunks of this length, a power of two up to {@link
 *     Chunks#LARGEST_BYTES}
 * @param maxBytes the limit of the memory that is taken
 * @param shared a budget that the memory counts against too, with that of others
 */
public record MemoryOptions(
    String owner,
    long chunkBytes,
    long maxBytes,
    HugePages hugePages,
    @Nullable MemoryBudget shared) {

  /** Memory that is not shared, for files in one chunk each. */
  public MemoryOptions(String owner, long maxBytes, HugePages hugePages) {
    this(owner, Chunks.LARGEST_BYTES, maxBytes, hugePages, null);
  }
}
