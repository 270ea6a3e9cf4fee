// SPDX-License-Identifier: Apache-2.0
/** Readers and searchers that prefetch the vectors that a search is about to compare. */
module io.github.lucenedirectories.vectors {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires static org.jspecify;

  exports io.github.lucenedirectories.vectors;
}
