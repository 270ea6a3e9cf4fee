// SPDX-License-Identifier: Apache-2.0
/**
 * Directories by URI, so that a configuration file can choose one: {@link
 * io.github.lucenedirectories.uri.LuceneDirectories}.
 */
@NullMarked
package io.github.lucenedirectories.uri;

import org.jspecify.annotations.NullMarked;
