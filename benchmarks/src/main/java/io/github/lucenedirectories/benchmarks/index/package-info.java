/** The index workload: how fast real text is indexed into every directory. */
@NullMarked
package io.github.lucenedirectories.benchmarks.index;

import org.jspecify.annotations.NullMarked;
