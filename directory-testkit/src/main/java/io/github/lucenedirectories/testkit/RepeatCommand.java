// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.rules.StatementAdapter;
import java.util.List;
import java.util.function.Function;
import org.junit.AssumptionViolatedException;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/** A rule that puts the command which repeats a failed test, seed included, into its failure. */
public final class RepeatCommand implements TestRule {

  private final Function<Description, String> command;

  /** Asks for the command in the thread of the test. */
  public RepeatCommand(Function<Description, String> command) {
    this.command = command;
  }

  @Override
  public Statement apply(Statement base, Description description) {
    return new StatementAdapter(base) {
      @Override
      protected void afterAlways(List<Throwable> errors) {
        String repeat = System.lineSeparator() + "repeat with: " + command.apply(description);
        errors.replaceAll(
            e -> e instanceof AssumptionViolatedException ? e : new AssertionError(e + repeat, e));
      }
    };
  }
}
