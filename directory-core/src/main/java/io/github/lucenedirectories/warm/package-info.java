// SPDX-License-Identifier: Apache-2.0
/** Warm starts: what was in memory of an index is loaded again after a restart. */
@NullMarked
package io.github.lucenedirectories.warm;

import org.jspecify.annotations.NullMarked;
