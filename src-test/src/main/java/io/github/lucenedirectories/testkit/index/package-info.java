/** Whole indexes: written, searched and checked on a directory beside one on Lucene's heap. */
@NullMarked
package io.github.lucenedirectories.testkit.index;

import org.jspecify.annotations.NullMarked;
