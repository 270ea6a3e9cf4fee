// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.runner.Runner;
import org.junit.runners.Suite;
import org.junit.runners.model.InitializationError;

/** Runs each suite of a kit by the randomized runner. */
public final class TestKitRunner extends Suite {

  /** A directory and the suites that it is run against. */
  public interface Kit extends Subject {

    /** The suites to run. */
    List<Class<? extends LuceneTestCase>> suites();
  }

  /* A suite asks for its parameters while its runner is made. */
  private static final ThreadLocal<Subject> CURRENT = new ThreadLocal<>();

  /** Called by JUnit. */
  public TestKitRunner(Class<?> kit) throws InitializationError {
    super(kit, runners(instance(kit)));
  }

  private static Kit instance(Class<?> kit) throws InitializationError {
    try {
      Constructor<?> constructor = kit.getConstructor();
      return (Kit) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new InitializationError(
          new IllegalStateException(
              "must be a public class with a public constructor without parameters: " + kit, e));
    }
  }

  private static List<Runner> runners(Kit kit) throws InitializationError {
    List<Runner> runners = new ArrayList<>();
    CURRENT.set(kit);
    try {
      for (Class<? extends LuceneTestCase> suite : kit.suites()) {
        runners.add(new RandomizedRunner(suite));
      }
    } finally {
      CURRENT.remove();
    }
    return runners;
  }

  /** The parameters of a suite: the directory whose runner is being made. */
  public static Iterable<Object[]> parameters() {
    Subject subject = CURRENT.get();
    if (subject == null) {
      throw new IllegalStateException("a suite is run by a subclass of DirectoryTestKit");
    }
    return List.<Object[]>of(new Object[] {subject});
  }
}
