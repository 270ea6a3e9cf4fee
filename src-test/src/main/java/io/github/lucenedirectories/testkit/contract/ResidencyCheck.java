package io.github.lucenedirectories.testkit.contract;

import static org.junit.Assert.assertEquals;

import io.github.lucenedirectories.testkit.DirectoryUnderTest;
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
        assertEquals(answer(subject), original.randomAccessSlice(start, LENGTH - start).isLoaded());
        check(subject, empty);
        check(subject, original.slice("nothing", start, 0));
      }
    }
  }

  private static void check(DirectoryUnderTest subject, IndexInput in) {
    assertEquals(in.toString(), answer(subject), in.isLoaded());
  }

  private static Optional<Boolean> answer(DirectoryUnderTest subject) {
    return switch (subject.capabilities().loaded()) {
      case ALWAYS, AS_MAPPED -> Optional.of(true);
      case UNKNOWN -> Optional.empty();
    };
  }
}
