// SPDX-License-Identifier: Apache-2.0
/** Files on a file system: positional reads, outputs, syncs, and the base of directories. */
@NullMarked
package io.github.lucenedirectories.internal.file;

import org.jspecify.annotations.NullMarked;
