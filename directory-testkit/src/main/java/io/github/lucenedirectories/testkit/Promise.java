// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a directory may promise beyond reading what was written. Tests of what it does not promise
 * are reported as failed assumptions, with the reason.
 */
public enum Promise {
  /** A directory that is opened again on the same path has the files that were synced. */
  DURABLE,
  /**
   * Every file is one file of the path's folder from its creation on, under its own name, and is
   * written, synced, renamed and deleted through {@code java.nio}. File systems with faults and
   * power cuts take the folder's place.
   */
  FILES,

  /** More than Lucene asks: a clone or slice that was closed alone throws from then on. */
  CLOSED_PARTS,
  /** More than Lucene asks: a closed directory throws {@code AlreadyClosedException} always. */
  CLOSED_DIRECTORY,
  /** More than Lucene asks: a write to a closed output fails, and the file stays as it was. */
  CLOSED_OUTPUTS,
  /**
   * More than Lucene asks: {@code isLoaded}, {@code prefetch} and {@code updateIOContext} do
   * nothing or throw {@code AlreadyClosedException} where the original is closed.
   */
  CLOSED_HINTS,
  /**
   * More than Lucene asks: any thread may close an input, also one that is read once, while another
   * thread reads it.
   */
  CLOSED_BY_ANY_THREAD,
  /** More than Lucene asks: a thread with its interrupt flag set reads and writes as any other. */
  INTERRUPTS,
  /** More than Lucene asks: names that lead out of the folder, and the empty name, are refused. */
  CHECKED_NAMES,
  /** More than Lucene asks: a read at a negative position fails, and those after it are right. */
  NEGATIVE_POSITIONS,
  /** More than Lucene asks: the descriptions of inputs and their errors name the file. */
  NAMED_FILES,
  /** More than Lucene asks: {@code syncMetaData} fails where the folder's fsync fails. */
  FOLDER_SYNC_ERRORS;

  /** What Lucene asks of a directory on files; a new set, which the caller may change. */
  public static Set<Promise> contract() {
    return EnumSet.of(DURABLE, FILES);
  }
}
