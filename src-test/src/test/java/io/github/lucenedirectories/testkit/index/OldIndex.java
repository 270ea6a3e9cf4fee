// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.store.Directory;

/** An index that Lucene 9.12 wrote by the program in {@code src/generator}. */
public final class OldIndex {

  private OldIndex() {}

  /** Writes the files of the index into a directory. */
  public static void copyTo(Directory directory) throws IOException {
    List<String> names = new ArrayList<>();
    InputStream zip = OldIndex.class.getResourceAsStream("lucene-9.12.zip");
    try (ZipInputStream in = new ZipInputStream(Objects.requireNonNull(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        LibraryTestCase.write(directory, entry.getName(), in.readAllBytes());
        names.add(entry.getName());
      }
    }
    directory.sync(names);
    directory.syncMetaData();
  }
}
