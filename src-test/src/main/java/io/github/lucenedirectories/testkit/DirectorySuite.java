package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TimeUnits;

/**
 * A suite of tests that one directory is run against.
 *
 * <p>After each test every resource outside the heap is back at what it was before, and no thread
 * is left. Open files can be deleted, as on Linux; a suite that wants it otherwise brings a file
 * system of its own.
 */
@LuceneTestCase.SuppressFileSystems("WindowsFS")
@TimeoutSuite(millis = 30 * TimeUnits.MINUTE)
public abstract class DirectorySuite extends LibraryTestCase {

  protected final DirectoryUnderTest subject;

  protected DirectorySuite(DirectoryUnderTest subject) {
    this.subject = subject;
  }

  /** What a suite is run against; one that is for some directories only hides this method. */
  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }

  /** Opens the directory under test over a fresh folder. */
  protected Directory open() throws IOException {
    return subject.open(createTempDir());
  }

  /** Opens the directory under test over a folder. */
  protected Directory open(Path path) throws IOException {
    return subject.open(path);
  }

  /** Every context that Lucene opens files with, one kind at random. */
  protected static IOContext anyContext() {
    return Contexts.any(random());
  }
}
