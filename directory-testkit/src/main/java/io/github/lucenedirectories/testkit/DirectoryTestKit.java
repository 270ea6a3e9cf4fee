// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import io.github.lucenedirectories.testkit.contract.CloseSuite;
import io.github.lucenedirectories.testkit.contract.InputSuite;
import io.github.lucenedirectories.testkit.contract.LuceneSuite;
import io.github.lucenedirectories.testkit.contract.NamesSuite;
import io.github.lucenedirectories.testkit.durability.KillSuite;
import io.github.lucenedirectories.testkit.durability.PowerCutSuite;
import io.github.lucenedirectories.testkit.fault.FileSystemSuite;
import io.github.lucenedirectories.testkit.fault.InterruptSuite;
import io.github.lucenedirectories.testkit.index.WholeIndexSuite;
import io.github.lucenedirectories.testkit.model.ModelSuite;
import io.github.lucenedirectories.testkit.race.CloseRaceSuite;
import java.util.List;
import java.util.Set;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runner.RunWith;

/**
 * The tests of a directory, in one class: a public subclass with a constructor without parameters
 * says how the directory is opened, and JUnit 4 runs all suites.
 *
 * <p>The tests are randomized. A failure says how to repeat it, with the seed.
 */
@RunWith(TestKitRunner.class)
public abstract class DirectoryTestKit implements TestKitRunner.Kit {

  /** What Lucene asks of a directory on files, unless a subclass says more or less. */
  @Override
  public Set<Promise> promises() {
    return Promise.contract();
  }

  /** All suites, unless a subclass leaves some out. */
  @Override
  public List<Class<? extends LuceneTestCase>> suites() {
    return List.of(
        LuceneSuite.class,
        InputSuite.class,
        CloseSuite.class,
        NamesSuite.class,
        ModelSuite.class,
        FileSystemSuite.class,
        InterruptSuite.class,
        PowerCutSuite.class,
        KillSuite.class,
        CloseRaceSuite.class,
        WholeIndexSuite.class);
  }

  @Override
  public final TestRule rule() {
    return new RepeatCommand(this::repeatCommand);
  }

  private String repeatCommand(Description test) {
    return ("mvn test -Dtest=" + getClass().getSimpleName())
        + (" '-Dtests.method=" + test.getMethodName() + "'")
        + (" -Dtests.seed=" + RandomizedContext.current().getRunnerSeedAsString());
  }

  @Override
  public String toString() {
    return getClass().getSimpleName();
  }
}
