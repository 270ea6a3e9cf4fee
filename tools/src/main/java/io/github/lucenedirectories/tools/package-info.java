// SPDX-License-Identifier: Apache-2.0
/** Commands for those who operate an index or the pools of a {@code PmemDirectory}. */
@NullMarked
package io.github.lucenedirectories.tools;

import org.jspecify.annotations.NullMarked;
