/** The command line: which commands there are, their help, presets and errors. */
@NullMarked
package io.github.lucenedirectories.benchmarks.cli;

import org.jspecify.annotations.NullMarked;
