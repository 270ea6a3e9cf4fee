// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import java.util.function.BiFunction;

/**
 * The sizes that a caller may choose when it opens a variant. A variant ignores those it has no use
 * for.
 *
 * @param mergeMegabytes largest flush or merge that a cache of new files keeps in memory
 * @param cacheMegabytes all that such a cache keeps in memory
 * @param poolBytes length of a new persistent-memory pool
 * @param preTouch whether a new pool is touched when it is made, so that no page fault is measured
 * @param chunkBytes length at which files are cut into chunks, a power of two; 0 for the default
 */
public record Sizes(
    double mergeMegabytes,
    double cacheMegabytes,
    long poolBytes,
    boolean preTouch,
    long chunkBytes) {

  /** What benchmarks use unless the user asks for something else. */
  public static final Sizes DEFAULT = new Sizes(5, 60, 1L << 29, true, 0);

  /** What tests use: caches spill and pools fill up after a few files. */
  public static final Sizes SMALL = new Sizes(0.25, 0.25, 1L << 21, false, 0);

  /** The same sizes with other caches of new files. */
  public Sizes withCache(double newMergeMegabytes, double newCacheMegabytes) {
    return new Sizes(newMergeMegabytes, newCacheMegabytes, poolBytes, preTouch, chunkBytes);
  }

  /** The same sizes with pools of another length. */
  public Sizes withPoolBytes(long bytes) {
    return new Sizes(mergeMegabytes, cacheMegabytes, bytes, preTouch, chunkBytes);
  }

  /** The same sizes with files cut into chunks. */
  public Sizes withChunkBytes(long bytes) {
    return new Sizes(mergeMegabytes, cacheMegabytes, poolBytes, preTouch, bytes);
  }

  /** A directory's builder, with this length of chunks unless it is the default. */
  <B> B chunks(B builder, BiFunction<B, Long, B> setter) {
    return chunkBytes == 0 ? builder : setter.apply(builder, chunkBytes);
  }
}
