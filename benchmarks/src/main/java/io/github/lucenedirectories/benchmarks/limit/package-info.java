/** The workload of an index that is larger than the memory: searches inside a control group. */
@NullMarked
package io.github.lucenedirectories.benchmarks.limit;

import org.jspecify.annotations.NullMarked;
