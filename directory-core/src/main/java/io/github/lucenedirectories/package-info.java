// SPDX-License-Identifier: Apache-2.0
/**
 * Types that several directories share.
 *
 * <p>{@link io.github.lucenedirectories.HugePages} is an option, {@link
 * io.github.lucenedirectories.LoadProgress} receives the progress of loading, and {@link
 * io.github.lucenedirectories.MetricSource} is what reports metrics.
 */
@NullMarked
package io.github.lucenedirectories;

import org.jspecify.annotations.NullMarked;
