// SPDX-License-Identifier: Apache-2.0
/** Inputs over memory segments, buffered outputs, and the names and kinds of files. */
@NullMarked
package io.github.lucenedirectories.internal.store;

import org.jspecify.annotations.NullMarked;
