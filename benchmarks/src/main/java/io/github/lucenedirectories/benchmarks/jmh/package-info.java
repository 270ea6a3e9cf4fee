/**
 * Single operations, measured by JMH. {@code MicroWorkload} runs JMH once for every column in each
 * round of the harness; the other classes are the benchmarks and their states. JMH generates code
 * for them, so they are public.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
