// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

/**
 * The sizes that a caller may choose when it opens a variant. A variant ignores those it has no use
 * for.
 *
 * @param mergeMegabytes largest flush or merge that a cache of new files keeps in memory
 * @param cacheMegabytes all that such a cache keeps in memory
 * @param poolBytes length of a new persistent-memory pool
 */
public record Sizes(double mergeMegabytes, double cacheMegabytes, long poolBytes) {

  /** What is used unless the user asks for something else. */
  public static final Sizes DEFAULT = new Sizes(5, 60, 1L << 29);

  /** The same sizes with other caches of new files. */
  public Sizes withCache(double newMergeMegabytes, double newCacheMegabytes) {
    return new Sizes(newMergeMegabytes, newCacheMegabytes, poolBytes);
  }

  /** The same sizes with pools of another length. */
  public Sizes withPoolBytes(long bytes) {
    return new Sizes(mergeMegabytes, cacheMegabytes, bytes);
  }
}
