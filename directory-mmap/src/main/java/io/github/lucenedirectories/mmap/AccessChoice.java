// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

/**
 * How a file is read, and why.
 *
 * @param fixed true if memory pressure does not change how an open file is read
 */
record AccessChoice(AccessMode mode, boolean fixed, String reason) {

  @Override
  public String toString() {
    return mode + ": " + reason;
  }
}
