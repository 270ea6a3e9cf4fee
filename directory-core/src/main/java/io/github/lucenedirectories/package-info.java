// SPDX-License-Identifier: Apache-2.0
/**
 * Types that the options of several directories share: {@link
 * io.github.lucenedirectories.HugePages}, and {@link io.github.lucenedirectories.LoadProgress},
 * which receives the progress of loading.
 */
@NullMarked
package io.github.lucenedirectories;

import org.jspecify.annotations.NullMarked;
