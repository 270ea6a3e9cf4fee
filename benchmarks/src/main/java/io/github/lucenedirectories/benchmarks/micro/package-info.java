/**
 * JMH benchmarks of single operations on a directory, and the commands that run them.
 *
 * <p>A benchmark runs in JVMs of its own for every directory, since a second implementation in the
 * same JVM changes what the compiler makes of a call site; {@code MixedDirectories} measures that
 * very effect. Files lie in a temporary folder and in the page cache, and their contents come from
 * a fixed seed.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
