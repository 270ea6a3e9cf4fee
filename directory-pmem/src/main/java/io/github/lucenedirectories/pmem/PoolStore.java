package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.util.List;

/** Where pool files are. */
interface PoolStore {

  /** The names of all pool files, in no order. */
  List<String> names() throws IOException;

  /** Length of a pool file in bytes. */
  long length(String name) throws IOException;

  /** The first bytes of a pool file, fewer if it is shorter, read without mapping it. */
  byte[] head(String name, int length) throws IOException;

  /**
   * Makes a pool file with room on the device for all its bytes. When this returns it is durable;
   * after a crash before that there is none.
   *
   * @param head its first bytes; the others are zero
   */
  void create(String name, long length, byte[] head) throws IOException;

  /** Maps a pool file. */
  PoolMemory map(String name) throws IOException;

  /** The most bytes that {@link #create} can have now. */
  long usableBytes() throws IOException;

  /** Whether touching free pages ahead of their use costs no more than their memory. */
  boolean touchesFreely();

  /** The file as messages name it. */
  String path(String name);

  /** Engine, mode and place. */
  String description();
}
