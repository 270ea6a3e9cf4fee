// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of tests, by JUnit 4 or 5, until one fails. */
public final class FirstFailure implements TestExecutionListener {

  static final int FAILED = 10;
  static final int NOTHING_RAN = 11;

  /**
   * The file, in the working folder, that names the test that failed, or those that ran nothing.
   */
  static final String FILE = "failure.txt";

  /** The simple name of the class whose tests run. */
  private String running = "";

  /** How many of them passed. */
  private int ran;

  private FirstFailure() {}

  /**
   * Runs tests, and ends with status 0, {@link #FAILED}, or {@link #NOTHING_RAN} if one of the
   * names stands for no test that runs here.
   *
   * @param tests names of classes, or of one method: {@code Class#method}
   */
  public static void main(String[] tests) {
    FirstFailure listener = new FirstFailure();
    List<String> idle = new ArrayList<>();
    Launcher launcher = LauncherFactory.create();
    for (String test : tests) {
      String[] parts = test.split("#", 2);
      PostDiscoveryFilter method =
          each ->
              FilterResult.includedIf(
                  !each.isTest()
                      || parts.length == 1
                      || isMethod(each.getLegacyReportingName(), parts[1]));
      listener.running = parts[0].substring(parts[0].lastIndexOf('.') + 1);
      listener.ran = 0;
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(parts[0]))
              .filters(method)
              .build(),
          listener);
      if (listener.ran == 0) {
        idle.add(test);
      }
    }
    report(String.join(" ", idle));
    System.exit(idle.isEmpty() ? 0 : NOTHING_RAN);
  }

  /** Lucene's runner adds a test's parameters in brackets, and its seed in braces. */
  static boolean isMethod(String test, String method) {
    return test.split("\\W", 2)[0].equals(method);
  }

  private static void report(String tests) {
    try {
      Files.writeString(Path.of(FILE), tests);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends at once after a failure: what it left behind may block an orderly end. */
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      report(running + "." + test.getLegacyReportingName());
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
      Runtime.getRuntime().halt(FAILED);
    }
    ran += test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? 1 : 0;
  }
}
