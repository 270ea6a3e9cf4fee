/** Named sets of option values: the experiments that this project began with. */
@NullMarked
package io.github.lucenedirectories.benchmarks.presets;

import org.jspecify.annotations.NullMarked;
