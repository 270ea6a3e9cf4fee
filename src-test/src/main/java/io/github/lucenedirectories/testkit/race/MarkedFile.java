package io.github.lucenedirectories.testkit.race;

import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A file in which every 8 bytes say which file they belong to and where in it they lie.
 *
 * <p>The first word is the file's id; word {@code i} after it is a hash of id and {@code i}. Bytes
 * of another file, or of another place, cannot be taken for the right ones.
 */
final class MarkedFile {

  private MarkedFile() {}

  static long word(long id, long index) {
    if (index == 0) {
      return id;
    }
    long hash = (id ^ index * 0x9E37_79B9_7F4A_7C15L) * 0xBF58_476D_1CE4_E5B9L;
    return hash ^ hash >>> 31;
  }

  static void write(Directory directory, String name, long id, int words) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < words; i++) {
        out.writeLong(word(id, i));
      }
    }
  }
}
