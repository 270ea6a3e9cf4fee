// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import org.apache.lucene.index.IndexFileNames;

/** The rules for names of files in a directory: each is one plain path component. */
public final class FileNames {

  private FileNames() {}

  /**
   * Returns {@code name} if it can name a file.
   *
   * @throws IllegalArgumentException if the name is empty, {@code .} or {@code ..}, or holds a
   *     slash, a backslash or NUL: such a name could leave the directory on some platform
   */
  public static String check(String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a file name: \"" + name + "\"");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || c == '\\' || c == 0) {
        throw new IllegalArgumentException(
            "a file name must not hold '/', '\\' or NUL: \""
                + name.replace('\0', '?')
                + "\", index="
                + i);
      }
    }
    return name;
  }

  /** The name that Lucene gives the {@code number}th temporary file. */
  public static String temporaryName(String prefix, String suffix, long number) {
    return check(
        IndexFileNames.segmentFileName(
            prefix, suffix + "_" + Long.toString(number, Character.MAX_RADIX), "tmp"));
  }
}
