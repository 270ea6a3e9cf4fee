/** {@code PmemDirectory}, whose files lie in persistent memory. */
@SuppressWarnings("requires-automatic") // LLPL has no module descriptor
module io.github.lucenedirectories.pmem {
  requires io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires jdk.management;
  requires jdk.nio.mapmode;
  requires java.management;
  // LLPL reads it, and cannot say so.
  requires jdk.unsupported;
  requires static llpl;
  requires static org.jspecify;

  exports io.github.lucenedirectories.pmem;
}
