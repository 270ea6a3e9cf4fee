/** Measures the time that a directory itself takes, apart from the Lucene code that calls it. */
@NullMarked
package io.github.lucenedirectories.benchmarks.meter;

import org.jspecify.annotations.NullMarked;
