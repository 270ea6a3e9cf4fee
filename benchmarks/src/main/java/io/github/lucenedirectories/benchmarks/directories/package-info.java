/** The directories that the workloads compare, by name. */
@NullMarked
package io.github.lucenedirectories.benchmarks.directories;

import org.jspecify.annotations.NullMarked;
