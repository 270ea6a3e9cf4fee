// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.StoreTestCase;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.Rule;

/** Lucene's own tests, with the library's answers to {@code isLoaded}. */
public class LuceneDirectoryTest extends LuceneSuite {

  private static final int LENGTH = 40_000;

  @Rule public final Sample sample;

  private final DirectoryUnderTest variant;

  public LuceneDirectoryTest(DirectoryUnderTest subject) {
    super(subject);
    variant = subject;
    sample = new Sample(subject, 6);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }

  /** Checks what {@code isLoaded} answers for a file that was just written and read. */
  @Override
  protected void checkResidency(int start) throws IOException {
    try (Directory directory = getDirectory(createTempDir())) {
      StoreTestCase.write(directory, "file", new byte[LENGTH]);
      StoreTestCase.write(directory, "empty", new byte[0]);
      try (IndexInput original = directory.openInput("file", IOContext.DEFAULT);
          IndexInput empty = directory.openInput("empty", IOContext.DEFAULT)) {
        original.readBytes(new byte[LENGTH], 0, LENGTH);
        IndexInput slice = original.slice("slice", start, LENGTH - start);
        for (IndexInput in :
            List.of(
                original,
                original.clone(),
                slice,
                slice.slice("slice of slice", 1, LENGTH - start - 2),
                empty,
                original.slice("nothing", start, 0))) {
          checkResidency(in.toString(), in.isLoaded());
        }
        checkResidency(
            "random access", original.randomAccessSlice(start, LENGTH - start).isLoaded());
      }
    }
  }

  private void checkResidency(String in, Optional<Boolean> answer) {
    switch (variant.way().loaded()) {
      case NEVER -> assertEquals(in, Optional.empty(), answer);
      case AS_READ -> assertTrue(in, answer.orElse(true));
      case ALWAYS -> assertEquals(in, Optional.of(true), answer);
    }
  }
}
