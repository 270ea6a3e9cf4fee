// SPDX-License-Identifier: Apache-2.0
/** The parts of a directory's URI, and the kinds of directories that each module provides. */
@NullMarked
package io.github.lucenedirectories.internal.uri;

import org.jspecify.annotations.NullMarked;
