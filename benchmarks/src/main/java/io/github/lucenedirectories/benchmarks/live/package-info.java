/**
 * An index that is updated, reopened and searched at the same time, each on threads of its own:
 * what the workloads with updates have in common.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.live;

import org.jspecify.annotations.NullMarked;
