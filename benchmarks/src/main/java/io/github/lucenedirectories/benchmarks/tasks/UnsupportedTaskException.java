// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

/** A task line that is well formed but asks for something these benchmarks do not run. */
public final class UnsupportedTaskException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnsupportedTaskException(String message) {
    super(message);
  }
}
