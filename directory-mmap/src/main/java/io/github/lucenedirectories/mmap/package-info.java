/**
 * Files that are mapped into memory.
 *
 * <p>{@link io.github.lucenedirectories.mmap.HybridDirectory} maps files while they fit in memory
 * and reads them by positions where they do not; take it if in doubt. {@link
 * io.github.lucenedirectories.mmap.MappedDirectory} always maps, and can load files when they are
 * opened ({@link io.github.lucenedirectories.LoadProgress}). {@link
 * io.github.lucenedirectories.mmap.AccessMode} names the ways in which a hybrid directory reads a
 * file.
 */
@NullMarked
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.NullMarked;
