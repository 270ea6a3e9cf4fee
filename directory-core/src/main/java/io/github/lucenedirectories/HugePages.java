// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

/** Whether files of 2 MiB and more in memory use huge pages, on Linux. */
public enum HugePages {
  /** Huge pages are used if the system provides them. */
  TRY,
  /** Opening the directory fails if the system provides none. */
  REQUIRE,
  /** Huge pages are never used, even if they are the system's default. */
  NEVER
}
