package io.github.lucenedirectories.testkit.contract;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Checks what {@code isLoaded} answers for a file that was just written and read. */
final class ResidencyCheck {

  private static final int LENGTH = 40_000;

  private ResidencyCheck() {}

  static void run(DirectoryUnderTest subject, Path path, int start) throws IOException {
    try (Directory directory = subject.open(path)) {
      try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
        out.writeBytes(new byte[LENGTH], LENGTH);
      }
      directory.createOutput("empty", IOContext.DEFAULT).close();
      try (IndexInput original = directory.openInput("file", IOContext.DEFAULT);
          IndexInput empty = directory.openInput("empty", IOContext.DEFAULT)) {
        original.readBytes(new byte[LENGTH], 0, LENGTH);
        check(subject, original);
        check(subject, original.clone());
        IndexInput slice = original.slice("slice", start, LENGTH - start);
        check(subject, slice);
        check(subject, slice.slice("slice of slice", 1, LENGTH - start - 2));
        check(
            subject,
            slice.toString(),
            original.randomAccessSlice(start, LENGTH - start).isLoaded());
        check(subject, empty);
        check(subject, original.slice("nothing", start, 0));
      }
    }
  }

  private static void check(DirectoryUnderTest subject, IndexInput in) {
    check(subject, in.toString(), in.isLoaded());
  }

  private static void check(DirectoryUnderTest subject, String in, Optional<Boolean> answer) {
    if (subject.capabilities().loaded() == Loaded.AS_FOUND) {
      assertTrue(in, answer.isPresent());
    } else if (subject.capabilities().loaded() == Loaded.AS_MAPPED_OR_CACHED && !LinuxCanTell.YES) {
      assertTrue(in, answer.orElse(true));
    } else if (subject.capabilities().loaded() != Loaded.AS_CACHED || LinuxCanTell.YES) {
      assertEquals(in, Optional.of(true), answer);
    } else {
      assertEquals(in, Optional.empty(), answer);
    }
  }

  /** Whether the kernel says which part of a file is in memory: Linux since 6.5. */
  private static final class LinuxCanTell {
    static final boolean YES = TestMode.current().nativeAccess() && version() >= 605;

    private static int version() {
      String[] parts = System.getProperty("os.version").split("[^0-9]+", 3);
      return Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]);
    }
  }
}
