/** Pages that are drawn from {@code results.json} alone: one run, or several side by side. */
@NullMarked
package io.github.lucenedirectories.benchmarks.page;

import org.jspecify.annotations.NullMarked;
