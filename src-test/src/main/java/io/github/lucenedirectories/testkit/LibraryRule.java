// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.rules.RuleChain;
import org.junit.rules.TestRule;
import org.junit.runner.Description;

/** What is checked around each test of the library: nothing is left behind. */
public final class LibraryRule {

  private LibraryRule() {}

  /** The rule for one test; a failure names the command that repeats it. */
  public static TestRule make() {
    return RuleChain.outerRule(new RepeatCommand(LibraryRule::command)).around(new NothingLeft());
  }

  /** The command that runs the described test alone, with the seed and the mode of this run. */
  public static String command(Description description) {
    String lucene = System.getProperty("lucene.version");
    StringBuilder command =
        new StringBuilder("./run test")
            .append(lucene == null ? "" : " --lucene " + lucene + testsVersion(lucene))
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

  /** The option for a test framework of another version, or nothing. */
  private static String testsVersion(String lucene) {
    String version = LuceneTestCase.class.getPackage().getImplementationVersion();
    String framework = version == null ? lucene : version.replaceFirst(" .*", "");
    return framework.equals(lucene) ? "" : " -Dlucene.tests.version=" + framework;
  }
}
