package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.junit.Rule;

/** Lucene's own tests of a directory, with our answer to {@code isLoaded}. */
public class LuceneDirectoryTest extends BaseDirectoryTestCase {

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  private final DirectoryUnderTest subject;

  public LuceneDirectoryTest(DirectoryUnderTest subject) {
    this.subject = subject;
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
}
