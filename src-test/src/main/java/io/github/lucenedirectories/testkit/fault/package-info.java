/** Faults from below: a file system that refuses, interrupted threads, a failing fsync. */
@NullMarked
package io.github.lucenedirectories.testkit.fault;

import org.jspecify.annotations.NullMarked;
