/** What comes before any workload: an index, found or built, and the queries to run on it. */
@NullMarked
package io.github.lucenedirectories.benchmarks.prepare;

import org.jspecify.annotations.NullMarked;
