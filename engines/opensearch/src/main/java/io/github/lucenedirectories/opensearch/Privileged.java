// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import org.apache.lucene.util.IOSupplier;
import org.opensearch.secure_sm.AccessController;

/**
 * Runs code with the permissions of the plugin's jars alone. The node's Java agent asks the policy
 * for every jar on the stack, and only the plugin's policy lets {@code /proc} and {@code /sys} be
 * read.
 */
final class Privileged {

  private Privileged() {}

  static <T> T call(IOSupplier<T> work) throws IOException {
    return AccessController.<T, IOException>doPrivilegedChecked(work::get);
  }
}
