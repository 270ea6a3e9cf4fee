// SPDX-License-Identifier: Apache-2.0
/** Access to the operating system: native calls, control groups, threads, arenas. */
@NullMarked
package io.github.lucenedirectories.internal.os;

import org.jspecify.annotations.NullMarked;
