// SPDX-License-Identifier: Apache-2.0
/** Directories that map files: {@code MappedDirectory} and {@code HybridDirectory}. */
module io.github.lucenedirectories.mmap {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires java.logging;
  requires static org.jspecify;

  exports io.github.lucenedirectories.mmap;

  provides io.github.lucenedirectories.internal.uri.DirectoryProvider with
      io.github.lucenedirectories.internal.mmap.MappedProvider;
}
