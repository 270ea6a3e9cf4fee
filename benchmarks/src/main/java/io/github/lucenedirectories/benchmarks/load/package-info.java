// SPDX-License-Identifier: Apache-2.0
/**
 * Requests at planned times and how long they take: an open loop, so that stalls cannot slow the
 * sender down. Knows nothing of Lucene.
 */
@NullMarked
package io.github.lucenedirectories.benchmarks.load;

import org.jspecify.annotations.NullMarked;
