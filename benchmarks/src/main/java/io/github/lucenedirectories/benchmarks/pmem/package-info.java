/** The tools for pools of persistent memory: what is in them, whether it is whole, in and out. */
@NullMarked
package io.github.lucenedirectories.benchmarks.pmem;

import org.jspecify.annotations.NullMarked;
