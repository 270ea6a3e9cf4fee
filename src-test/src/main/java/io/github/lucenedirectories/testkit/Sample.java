package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.AssumptionViolatedException;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * A rule that runs a slow test on a few directories only, which the seed draws; on all of them with
 * {@code ./run test --all}.
 */
public final class Sample implements TestRule {

  /** Whether everything is tested, by the system property {@code testkit.all}. */
  public static final boolean ALL = Boolean.getBoolean("testkit.all");

  private final DirectoryUnderTest subject;
  private final List<DirectoryUnderTest> directories;
  private final int count;

  /**
   * Runs the test on {@code subject} if it is among the drawn.
   *
   * @param directories what to draw from
   * @param count how many are drawn
   */
  public Sample(DirectoryUnderTest subject, List<DirectoryUnderTest> directories, int count) {
    this.subject = subject;
    this.directories = directories;
    this.count = count;
  }

  /** How many rounds a test has: {@code all} of them with {@code --all}, else {@code some}. */
  public static int rounds(int some, int all) {
    return ALL ? all : some;
  }

  @Override
  public Statement apply(Statement base, Description description) {
    return new Statement() {
      @Override
      public void evaluate() throws Throwable {
        if (!ALL && !drawn(description.getClassName().hashCode()).contains(subject.name())) {
          throw new AssumptionViolatedException("not drawn: ./run test --all tests it");
        }
        base.evaluate();
      }
    };
  }

  /** The same for all tests of a class, so that its seed repeats them. */
  private List<String> drawn(int hash) {
    List<String> names =
        new ArrayList<>(directories.stream().map(DirectoryUnderTest::name).toList());
    String seed = RandomizedContext.current().getRunnerSeedAsString();
    Collections.shuffle(names, new Random(31L * hash + seed.hashCode()));
    return names.subList(0, Math.min(count, names.size()));
  }
}
