// SPDX-License-Identifier: Apache-2.0
/** What a search read, and the metrics of directories for a monitoring system. */
@NullMarked
package io.github.lucenedirectories.metrics;

import org.jspecify.annotations.NullMarked;
