// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.util.Locale;

/** The way this JVM was started, from the system property {@value #PROPERTY}. */
public enum TestMode {
  /** Native access granted, Lucene without the vector module. */
  SCALAR,
  /** Native access granted, Lucene with {@code --add-modules jdk.incubator.vector}. */
  VECTOR,
  /** Native access denied: every fallback has to do the work. */
  NO_NATIVE;

  /** Name of the property that each execution of the tests sets. */
  public static final String PROPERTY = "testkit.mode";

  private static final TestMode CURRENT =
      valueOf(System.getProperty(PROPERTY, "scalar").toUpperCase(Locale.ROOT).replace('-', '_'));

  /** The mode of this JVM; {@link #SCALAR} where nothing is said. */
  public static TestMode current() {
    return CURRENT;
  }

  /** The mode as the property spells it. */
  String property() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the directories are free to make native calls. */
  public boolean nativeAccess() {
    return this != NO_NATIVE;
  }
}
