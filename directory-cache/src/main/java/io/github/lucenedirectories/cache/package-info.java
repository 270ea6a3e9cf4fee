// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks of files in memory outside the Java heap: {@link
 * io.github.lucenedirectories.cache.BlockCacheDirectory} reads another directory through a {@link
 * io.github.lucenedirectories.cache.BlockCache}, which has a limit in bytes.
 */
@NullMarked
package io.github.lucenedirectories.cache;

import org.jspecify.annotations.NullMarked;
