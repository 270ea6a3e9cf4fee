// SPDX-License-Identifier: Apache-2.0
/** An application of modules. */
module modular {
  requires io.github.lucenedirectories.cache;
  requires io.github.lucenedirectories.mmap;
  requires io.github.lucenedirectories.ram;
}
