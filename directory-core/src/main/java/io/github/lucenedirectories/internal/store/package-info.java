// SPDX-License-Identifier: Apache-2.0
/** Inputs over memory segments, buffered outputs, names and kinds of files, and counts of reads. */
@NullMarked
package io.github.lucenedirectories.internal.store;

import org.jspecify.annotations.NullMarked;
