// SPDX-License-Identifier: Apache-2.0
/** {@code NioDirectory}, warm starts, metrics, and the code that all directories share. */
@SuppressWarnings("module") // the siblings named below are built after this module
module io.github.lucenedirectories.core {
  requires transitive org.apache.lucene.core;
  requires java.logging;
  requires jdk.jfr;
  requires jdk.management;
  requires static org.jspecify;

  exports io.github.lucenedirectories;
  exports io.github.lucenedirectories.metrics;
  exports io.github.lucenedirectories.nio;
  exports io.github.lucenedirectories.uri;
  exports io.github.lucenedirectories.warm;
  exports io.github.lucenedirectories.internal.os to
      io.github.lucenedirectories.mmap,
      io.github.lucenedirectories.ram,
      io.github.lucenedirectories.cache,
      io.github.lucenedirectories.vectors,
      io.github.lucenedirectories.pmem;
  exports io.github.lucenedirectories.internal.store to
      io.github.lucenedirectories.mmap,
      io.github.lucenedirectories.ram,
      io.github.lucenedirectories.cache,
      io.github.lucenedirectories.vectors,
      io.github.lucenedirectories.pmem;
  exports io.github.lucenedirectories.internal.file to
      io.github.lucenedirectories.mmap,
      io.github.lucenedirectories.cache,
      io.github.lucenedirectories.pmem;
  exports io.github.lucenedirectories.internal.memory to
      io.github.lucenedirectories.ram,
      io.github.lucenedirectories.cache,
      io.github.lucenedirectories.pmem;
  exports io.github.lucenedirectories.internal.uri to
      io.github.lucenedirectories.mmap,
      io.github.lucenedirectories.ram,
      io.github.lucenedirectories.cache,
      io.github.lucenedirectories.pmem;

  uses io.github.lucenedirectories.internal.uri.DirectoryProvider;

  provides io.github.lucenedirectories.internal.uri.DirectoryProvider with
      io.github.lucenedirectories.internal.uri.NioProvider;
}
