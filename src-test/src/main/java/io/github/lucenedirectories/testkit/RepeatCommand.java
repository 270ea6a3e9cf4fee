package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import com.carrotsearch.randomizedtesting.rules.StatementAdapter;
import java.util.List;
import org.junit.AssumptionViolatedException;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/** A rule that puts the command which repeats a failed test, seed included, into its failure. */
public final class RepeatCommand implements TestRule {

  @Override
  public Statement apply(Statement base, Description description) {
    return new StatementAdapter(base) {
      @Override
      protected void afterAlways(List<Throwable> errors) {
        errors.replaceAll(
            e ->
                e instanceof AssumptionViolatedException
                    ? e
                    : new AssertionError(e + System.lineSeparator() + of(description), e));
      }
    };
  }

  /** The command that runs the described test alone, with the seed and the mode of this run. */
  private static String of(Description description) {
    String lucene = System.getProperty("lucene.version");
    StringBuilder command =
        new StringBuilder("repeat with: ./run test")
            .append(lucene == null ? "" : " --lucene " + lucene)
            .append(Sample.ALL ? " -Dtestkit.all=true" : "")
            .append(" -pl src-test -am -DskipITs -Dsurefire.failIfNoSpecifiedTests=false -Dtest=")
            .append(description.getTestClass().getSimpleName())
            .append(" '-Dtests.method=")
            .append(description.getMethodName())
            .append("' -Dtests.seed=")
            .append(RandomizedContext.current().getRunnerSeedAsString());
    for (TestMode mode : TestMode.values()) {
      if (mode != TestMode.current()) {
        command.append(" -Dtestkit.skip.").append(mode.property()).append("=true");
      }
    }
    return command.toString();
  }
}
