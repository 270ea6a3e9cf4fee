/** Named sets of option values, each for one question. */
@NullMarked
package io.github.lucenedirectories.benchmarks.presets;

import org.jspecify.annotations.NullMarked;
