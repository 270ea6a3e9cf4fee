/**
 * Vector search on an index larger than memory: {@link
 * io.github.lucenedirectories.search.PrefetchingDirectoryReader}.
 */
@NullMarked
package io.github.lucenedirectories.search;

import org.jspecify.annotations.NullMarked;
