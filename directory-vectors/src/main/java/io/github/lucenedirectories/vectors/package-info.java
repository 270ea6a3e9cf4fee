// SPDX-License-Identifier: Apache-2.0
/**
 * Vector search on an index larger than memory: {@link
 * io.github.lucenedirectories.vectors.PrefetchingDirectoryReader}.
 */
@NullMarked
package io.github.lucenedirectories.vectors;

import org.jspecify.annotations.NullMarked;
