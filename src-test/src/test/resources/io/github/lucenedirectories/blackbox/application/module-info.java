// SPDX-License-Identifier: Apache-2.0
/** An application as a user would write it: Lucene comes with the directories' modules. */
module blackbox {
  requires io.github.lucenedirectories.core;
  requires io.github.lucenedirectories.mmap;
  requires io.github.lucenedirectories.pmem;
  requires io.github.lucenedirectories.ram;
}
