// SPDX-License-Identifier: Apache-2.0
/**
 * Positional reads: {@link io.github.lucenedirectories.nio.NioDirectory}, for machines with far
 * less memory than the index, and for systems that do not allow mappings.
 */
@NullMarked
package io.github.lucenedirectories.nio;

import org.jspecify.annotations.NullMarked;
