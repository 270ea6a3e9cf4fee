package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs classes of tests until one fails. */
public final class FirstFailure {

  static final int FAILED = 10;
  static final int NOTHING_RAN = 11;

  /** The file, in the working folder, that names the test that failed. */
  static final String FILE = "failure.txt";

  /** The file, in the working folder, with each test's milliseconds; -1 if none of it ran. */
  static final String TIMES = "times.txt";

  private FirstFailure() {}

  /**
   * Runs tests, and ends with status 0, {@link #FAILED} or {@link #NOTHING_RAN}.
   *
   * @param tests names of classes, or of one method: {@code Class#method}
   */
  public static void main(String[] tests) throws ClassNotFoundException, IOException {
    AtomicInteger ran = new AtomicInteger();
    JUnitCore core = new JUnitCore();
    core.addListener(
        new RunListener() {
          @Override
          public void testFailure(Failure failure) {
            end(failure);
          }

          @Override
          public void testStarted(Description description) {
            ran.incrementAndGet();
          }

          @Override
          public void testAssumptionFailure(Failure failure) {
            ran.decrementAndGet();
          }
        });
    StringBuilder times = new StringBuilder();
    for (String test : tests) {
      String[] parts = test.split("#", 2);
      Request all = Request.aClass(Class.forName(parts[0]));
      int before = ran.get();
      long start = System.nanoTime();
      core.run(parts.length == 1 ? all : all.filterWith(new OneMethod(parts[1])));
      times.append(
          ran.get() > before ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) : -1);
      times.append('\n');
    }
    Files.writeString(Path.of(TIMES), times);
    System.exit(ran.get() > 0 ? 0 : NOTHING_RAN);
  }

  /** Lets one method run, with all its parameters. */
  private static final class OneMethod extends Filter {
    private final String method;

    OneMethod(String method) {
      this.method = method;
    }

    @Override
    public boolean shouldRun(Description description) {
      // Lucene's runner adds the parameters after a blank.
      return description.isTest()
          ? method.equals(String.valueOf(description.getMethodName()).split(" ", 2)[0])
          : description.getChildren().stream().anyMatch(this::shouldRun);
    }

    @Override
    public String describe() {
      return method;
    }
  }

  /** Ends at once: what the failed test left behind may block an orderly end. */
  private static void end(Failure failure) {
    Description test = failure.getDescription();
    String method = test.getMethodName() == null ? "" : "." + test.getMethodName();
    Class<?> type = test.getTestClass();
    String name = type == null ? test.getDisplayName() : type.getSimpleName();
    try {
      Files.writeString(Path.of(FILE), name + method + "\n" + failure.getTrace());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(FAILED);
  }
}
