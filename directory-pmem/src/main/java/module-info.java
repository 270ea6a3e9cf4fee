/** Files in persistent memory. It exports nothing yet. */
module io.github.lucenedirectories.pmem {
  requires io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires static org.jspecify;
}
