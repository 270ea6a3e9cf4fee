/** The compare workload: every directory on the same index and the same queries. */
@NullMarked
package io.github.lucenedirectories.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
