// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a new file whose length is known. Several threads may write parts of it, until it is
 * sealed or discarded.
 */
public interface NewMemory extends MemorySink {

  /** All bytes of the file, which must not be used after {@link #seal} or {@link #discard}. */
  MemorySegment bytes();
}
