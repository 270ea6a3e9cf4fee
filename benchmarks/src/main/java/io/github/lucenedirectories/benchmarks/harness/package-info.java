/** JVMs of their own: starting them, talking to them, ending them. */
@NullMarked
package io.github.lucenedirectories.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
