// SPDX-License-Identifier: Apache-2.0
/** {@code PmemDirectory}, whose files lie in persistent memory. */
@SuppressWarnings("requires-automatic") // LLPL has no module descriptor
module io.github.lucenedirectories.pmem {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires jdk.management;
  requires jdk.nio.mapmode;
  requires java.management;
  // LLPL needs it, but has no module descriptor to require it.
  requires jdk.unsupported;
  requires static llpl;
  requires static org.jspecify;

  exports io.github.lucenedirectories.pmem;

  provides io.github.lucenedirectories.internal.uri.DirectoryProvider with
      io.github.lucenedirectories.internal.pmem.PmemProvider;
}
