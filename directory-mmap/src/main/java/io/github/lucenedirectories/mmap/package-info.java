/**
 * Directories that map files into memory.
 *
 * <p>{@link io.github.lucenedirectories.mmap.HybridDirectory} maps files while they fit in memory
 * and reads them by positions otherwise; choose it if in doubt. {@link
 * io.github.lucenedirectories.mmap.MappedDirectory} always maps, and can load files when they are
 * opened ({@link io.github.lucenedirectories.LoadProgress}). {@link
 * io.github.lucenedirectories.mmap.AccessMode} names the modes in which a hybrid directory reads a
 * file.
 */
@NullMarked
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.NullMarked;
