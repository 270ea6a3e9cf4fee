/**
 * Files that are read by positions: {@link io.github.lucenedirectories.nio.NioDirectory}, for
 * memory that is far smaller than the index, and for systems that do not allow mappings.
 */
@NullMarked
package io.github.lucenedirectories.nio;

import org.jspecify.annotations.NullMarked;
