// SPDX-License-Identifier: Apache-2.0
/** Directories that keep files in memory outside the Java heap. */
module io.github.lucenedirectories.ram {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires java.logging;
  requires static org.jspecify;

  exports io.github.lucenedirectories.ram;

  provides io.github.lucenedirectories.internal.uri.DirectoryProvider with
      io.github.lucenedirectories.internal.ram.RamProvider;
}
