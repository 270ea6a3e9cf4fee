/** The timed loop over query kinds, as it runs inside one fork. */
@NullMarked
package io.github.lucenedirectories.benchmarks.search;

import org.jspecify.annotations.NullMarked;
