package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.junit.Rule;

/** Lucene's own tests of a directory, with our answer to {@code isLoaded}. */
public class LuceneDirectoryTest extends BaseDirectoryTestCase {

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();
  @Rule public final Sample sample;

  private final DirectoryUnderTest subject;

  public LuceneDirectoryTest(DirectoryUnderTest subject) {
    this.subject = subject;
    sample = new Sample(subject, DirectoriesUnderTest.all(), 6);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return subject.open(path);
  }

  /** Lucene's version asks for the class of the directory; ours for what it is able to do. */
  @Override
  public void testIsLoaded() throws IOException {
    ResidencyCheck.run(subject, createTempDir(), 0);
  }

  @Override
  public void testIsLoadedOnSlice() throws IOException {
    ResidencyCheck.run(subject, createTempDir(), random().nextInt(1, 1024));
  }

  /** Checks what {@code isLoaded} answers for a file that was just written and read. */
  static final class ResidencyCheck {

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
      } else if (subject.capabilities().loaded() == Loaded.AS_MAPPED_OR_CACHED
          && !LinuxCanTell.YES) {
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
}
