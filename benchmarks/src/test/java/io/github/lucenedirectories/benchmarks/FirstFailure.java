package io.github.lucenedirectories.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs classes of tests until one fails, as the class of the same name does for the tests of the
 * library: with the same status at the end and the same files.
 */
public final class FirstFailure {
  private static final int FAILED = 10;
  private static final int NOTHING_RAN = 11;

  private FirstFailure() {}

  /** Runs the tests of some classes. */
  public static void main(String[] tests) throws IOException {
    Counter counter = new Counter();
    StringBuilder times = new StringBuilder();
    Launcher launcher = LauncherFactory.create();
    for (String test : tests) {
      int before = counter.ran;
      long start = System.nanoTime();
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(test))
              .build(),
          counter);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      times.append(counter.ran > before ? millis : -1).append('\n');
    }
    Files.writeString(Path.of("times.txt"), times);
    System.exit(counter.ran > 0 ? 0 : NOTHING_RAN);
  }

  private static final class Counter implements TestExecutionListener {
    private int ran;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        String why = result.getThrowable().map(Throwable::toString).orElse("");
        try {
          Files.writeString(Path.of("failure.txt"), test.getLegacyReportingName() + "\n" + why);
        } catch (IOException e) {
          // The status says that it failed.
        }
        Runtime.getRuntime().halt(FAILED);
      }
      ran += test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? 1 : 0;
    }
  }
}
