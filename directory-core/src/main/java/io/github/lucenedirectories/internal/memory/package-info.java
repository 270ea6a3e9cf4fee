// SPDX-License-Identifier: Apache-2.0
/** Files in memory: their table, their outputs, and their memory. */
@NullMarked
package io.github.lucenedirectories.internal.memory;

import org.jspecify.annotations.NullMarked;
