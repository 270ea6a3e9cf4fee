/** What the directories share, and the directory over positional reads. */
@SuppressWarnings("module") // the siblings named below are built after this module
module io.github.lucenedirectories.core {
  requires transitive org.apache.lucene.core;
  requires java.logging;
  requires jdk.management;
  requires static org.jspecify;

  exports io.github.lucenedirectories.nio;
  exports io.github.lucenedirectories.core to
      io.github.lucenedirectories.mmap,
      io.github.lucenedirectories.ram,
      io.github.lucenedirectories.pmem;
}
