// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;

/** A suite for the library's directories alone. */
public abstract class LibrarySuite extends DirectorySuite {

  /** The directory under test, with what only the library's have. */
  protected final DirectoryUnderTest variant;

  protected LibrarySuite(DirectoryUnderTest variant) {
    super(variant);
    this.variant = variant;
  }

  /** What a suite is run against; one that is for some directories only hides this method. */
  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }
}
