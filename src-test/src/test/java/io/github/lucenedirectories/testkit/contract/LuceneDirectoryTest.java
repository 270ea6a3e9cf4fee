// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.StoreTestCase;
import io.github.lucenedirectories.testkit.TestMode;
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
    boolean told = TestMode.current().nativeAccess() && linuxTells();
    switch (variant.way().loaded()) {
      case AS_FOUND -> assertTrue(in, answer.isPresent());
      case AS_CACHED -> assertEquals(in, told ? Optional.of(true) : Optional.empty(), answer);
      case AS_MAPPED_OR_CACHED -> assertTrue(in, answer.orElse(!told));
      case ALWAYS -> assertEquals(in, Optional.of(true), answer);
    }
  }

  /** Whether the kernel says which part of a file is in memory: Linux since 6.5. */
  private static boolean linuxTells() {
    String[] parts = System.getProperty("os.version").split("[^0-9]+", 3);
    return Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) >= 605;
  }
}
