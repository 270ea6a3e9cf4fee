/** The commit workload: how long commits of a few documents take on every directory. */
@NullMarked
package io.github.lucenedirectories.benchmarks.commit;

import org.jspecify.annotations.NullMarked;
