/**
 * Files that are read by positions.
 *
 * <p>{@link io.github.lucenedirectories.nio.NioDirectory} is for memory that is far smaller than
 * the index, and for systems that do not allow mappings. {@link
 * io.github.lucenedirectories.nio.FileDirectory} is what all directories on a file system share:
 * names, durability, copies. Extend it to read files in another way.
 */
@NullMarked
package io.github.lucenedirectories.nio;

import org.jspecify.annotations.NullMarked;
