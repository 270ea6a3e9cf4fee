// SPDX-License-Identifier: Apache-2.0
/** {@code cluster}: store types compared on a cluster of OpenSearch's nodes. */
@NullMarked
package io.github.lucenedirectories.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
