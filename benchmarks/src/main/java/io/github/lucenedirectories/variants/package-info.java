// SPDX-License-Identifier: Apache-2.0
/**
 * The one list of directories: Lucene's and this project's, each with its options. Benchmarks
 * measure them and the test kit checks them.
 */
@NullMarked
package io.github.lucenedirectories.variants;

import org.jspecify.annotations.NullMarked;
