// SPDX-License-Identifier: Apache-2.0
/**
 * Files in memory outside the Java heap.
 *
 * <p>{@link io.github.lucenedirectories.ram.RamDirectory} keeps a whole index in memory, on request
 * with a backing directory that makes commits durable. {@link
 * io.github.lucenedirectories.ram.NrtCacheDirectory} keeps small new segments there until they are
 * synced. Each has a limit in bytes. Files go from memory to the directory below in {@code
 * DirectoryBacking} and in {@code NrtCacheDirectory}, and nowhere else.
 */
@NullMarked
package io.github.lucenedirectories.ram;

import org.jspecify.annotations.NullMarked;
