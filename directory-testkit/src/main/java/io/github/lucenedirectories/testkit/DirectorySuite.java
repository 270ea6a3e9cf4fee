// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.tests.util.TimeUnits;
import org.junit.Rule;
import org.junit.rules.TestRule;

/**
 * A suite of tests that one directory is run against.
 *
 * <p>Open files can be deleted, as on Linux; a suite that wants it otherwise brings a file system
 * of its own.
 */
@LuceneTestCase.SuppressFileSystems("WindowsFS")
@TimeoutSuite(millis = 30 * TimeUnits.MINUTE)
public abstract class DirectorySuite extends StoreTestCase {

  /** Whether everything is tested, by the system property {@code testkit.all}. */
  public static final boolean ALL = Boolean.getBoolean("testkit.all");

  protected final Subject subject;

  @Rule public final TestRule rule;

  protected DirectorySuite(Subject subject) {
    this.subject = subject;
    this.rule = subject.rule();
  }

  /** What a suite is run against; one that is for other directories hides this method. */
  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return TestKitRunner.parameters();
  }

  /** How many rounds a test has: {@code all} of them if everything is tested, else {@code some}. */
  public static int rounds(int some, int all) {
    return ALL ? all : some;
  }

  /** Goes on with the test only if the directory promises this. */
  protected void assumePromised(Promise promise) {
    assumeTrue(subject + " does not promise " + promise, subject.promises().contains(promise));
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
