package io.github.lucenedirectories.benchmarks.groups;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The changes that can be made to a mounted tree of control groups: the kernel's files appear and
 * go with their folder, and writing to one never creates it.
 */
class GroupTree {

  void make(Path group) throws IOException {
    Files.createDirectory(group);
  }

  /** Removes a group without processes; does nothing if it is gone. */
  void remove(Path group) throws IOException {
    Files.deleteIfExists(group);
  }

  void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }
}
