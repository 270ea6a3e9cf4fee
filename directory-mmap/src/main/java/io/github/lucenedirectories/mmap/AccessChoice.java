// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.Nullable;

/**
 * How a file is read, and why.
 *
 * @param pinned the mode for as long as the file is open; null if it is mapped, with advice that
 *     follows the memory
 */
record AccessChoice(@Nullable AccessMode pinned, String reason) {
  static final AccessChoice FOLLOWS_MEMORY = new AccessChoice(null, "follows the memory");
}
