/** The directory whose files lie in off-heap memory. */
module io.github.lucenedirectories.ram {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires static org.jspecify;

  exports io.github.lucenedirectories.ram;
}
