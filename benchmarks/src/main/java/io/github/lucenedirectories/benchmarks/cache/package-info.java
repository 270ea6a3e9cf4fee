/** The comparison of the block cache with Caffeine on recorded accesses. */
@NullMarked
package io.github.lucenedirectories.benchmarks.cache;

import org.jspecify.annotations.NullMarked;
