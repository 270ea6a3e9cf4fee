// SPDX-License-Identifier: Apache-2.0
/**
 * A plugin with a field of float vectors and a query for the nearest of them, for tests and
 * benchmarks: OpenSearch itself has neither.
 */
@NullMarked
package io.github.lucenedirectories.opensearch.vectors;

import org.jspecify.annotations.NullMarked;
