// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools.console;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders that users name for what a command writes. */
public final class OutputFolder {
  private OutputFolder() {}

  /** Creates a folder and those above it, unless they are there; refuses what cannot be one. */
  public static Path create(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw new UsageException("not a folder: " + folder, e);
    } catch (IOException e) {
      throw UsageException.because("cannot create " + folder, e);
    }
  }
}
