/** A user's own index and machine, looked at and measured, and the directory that follows. */
@NullMarked
package io.github.lucenedirectories.benchmarks.advise;

import org.jspecify.annotations.NullMarked;
