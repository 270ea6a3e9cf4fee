// SPDX-License-Identifier: Apache-2.0
/** The metrics of directories as meters of Micrometer. */
@NullMarked
package io.github.lucenedirectories.micrometer;

import org.jspecify.annotations.NullMarked;
