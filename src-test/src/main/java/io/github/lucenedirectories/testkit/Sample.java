// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import com.carrotsearch.randomizedtesting.rules.StatementAdapter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.Assume;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * A rule that runs a slow test on a few directories only, which the seed draws; on all of them with
 * {@code ./run test --all}.
 */
public final class Sample implements TestRule {

  /** Whether everything is tested, by the system property {@code testkit.all}. */
  public static final boolean ALL = DirectorySuite.ALL;

  private final DirectoryUnderTest subject;
  private final int count;

  /** Runs the test on {@code subject} if it is among the drawn. */
  public Sample(DirectoryUnderTest subject, int count) {
    this.subject = subject;
    this.count = count;
  }

  @Override
  public Statement apply(Statement base, Description description) {
    return new StatementAdapter(base) {
      @Override
      protected void before() {
        Assume.assumeTrue("not drawn: ./run test --all tests it", ALL || isDrawn(description));
      }
    };
  }

  /** The same for all tests of a class, so that its seed repeats them. */
  private boolean isDrawn(Description description) {
    List<DirectoryUnderTest> drawn = new ArrayList<>(DirectoriesUnderTest.all());
    String seed = RandomizedContext.current().getRunnerSeedAsString();
    Collections.shuffle(
        drawn, new Random(31L * description.getClassName().hashCode() + seed.hashCode()));
    return drawn.subList(0, count).contains(subject);
  }
}
