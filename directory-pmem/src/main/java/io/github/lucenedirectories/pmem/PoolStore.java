// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Creates and maps pool files; in use by one directory until it is closed. */
interface PoolStore extends Closeable {

  /** The names of all pool files, in any order. */
  List<String> names() throws IOException;

  /** Deletes incomplete pool files that a crash has left, because they take space. */
  void deleteUnfinished() throws IOException;

  /** Length of a pool file in bytes. */
  long length(String name) throws IOException;

  /** The first bytes of a pool file, fewer if it is shorter, read without mapping it. */
  byte[] head(String name, int length) throws IOException;

  /**
   * Creates a pool file with space on the device for all its bytes. When this returns the file is
   * durable; after an earlier crash it does not exist.
   *
   * @param head its first bytes; the others are zero
   */
  void create(String name, long length, byte[] head) throws IOException;

  /** Maps a pool file. */
  PoolMemory map(String name) throws IOException;

  /** The free space of the device in bytes; {@code Long.MAX_VALUE} if it is unknown. */
  long usableBytes();

  /** Whether touching free pages in advance costs nothing but their memory. */
  boolean touchesFreely();

  /** The name of the file in messages. */
  String path(String name);

  /** Engine, mode and location. */
  String description();
}
