/** Text to index: where documents come from and the index that is built from them. */
@NullMarked
package io.github.lucenedirectories.benchmarks.corpus;

import org.jspecify.annotations.NullMarked;
