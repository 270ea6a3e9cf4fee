// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

/** A read of a clone or a slice after its original was closed. */
public final class StaleRead {

  private StaleRead() {}

  /**
   * Is called by the thread whose read was refused. If the memory is released in the middle of the
   * read, HotSpot not only makes the read throw but interrupts its thread as well ({@code
   * JavaThread::install_async_exception}), which is no business of the next test.
   */
  public static void refused() {
    Thread.interrupted();
  }
}
