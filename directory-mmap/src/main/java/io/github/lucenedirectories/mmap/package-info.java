// SPDX-License-Identifier: Apache-2.0
/**
 * Directories that map files into memory.
 *
 * <p>{@link io.github.lucenedirectories.mmap.HybridDirectory} maps files, and tells the kernel as
 * memory becomes scarce to load only the pages that are read; choose it if in doubt. {@link
 * io.github.lucenedirectories.mmap.MappedDirectory} does not look at the memory, and can load files
 * when they are opened. {@link io.github.lucenedirectories.mmap.AccessMode} names the modes in
 * which a hybrid directory reads a file.
 */
@NullMarked
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.NullMarked;
