// SPDX-License-Identifier: Apache-2.0
/** Warm starts, which load again after a restart what was in memory of an index. */
@NullMarked
package io.github.lucenedirectories.warm;

import org.jspecify.annotations.NullMarked;
