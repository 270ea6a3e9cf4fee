// SPDX-License-Identifier: Apache-2.0
/**
 * Requests at planned times over HTTP, and the times until their answers: an open loop, so that a
 * server that stalls cannot slow its client down. Knows nothing of Lucene.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.load;

import org.jspecify.annotations.NullMarked;
