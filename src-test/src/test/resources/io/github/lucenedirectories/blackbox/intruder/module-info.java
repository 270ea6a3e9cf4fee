// SPDX-License-Identifier: Apache-2.0
/** A module that reaches for what only the siblings may see. */
module intruder {
  requires io.github.lucenedirectories.core;
}
