package io.github.lucenedirectories.benchmarks.groups;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tree of groups that limits memory here, and this process's place in it.
 *
 * @param top where the tree is mounted
 * @param own the group of this process, below {@code top} or {@code top} itself
 */
record Mounted(Version version, Path top, Path own) {
  /* The fields of a line of mountinfo, from its start and from the mark in its middle. */
  private static final int ROOT = 3;
  private static final int POINT = 4;
  private static final String MARK = " - ";

  /**
   * Finds it.
   *
   * @param root the root of the file system; another one is for tests
   * @throws UsageException if no tree with a controller of memory is mounted
   */
  static Mounted find(Path root) throws IOException {
    Path mounts = root.resolve("proc/self/mountinfo");
    Path groups = root.resolve("proc/self/cgroup");
    if (!Files.isReadable(mounts) || !Files.isReadable(groups)) {
      throw new UsageException("limiting memory needs the control groups of Linux: no " + groups);
    }
    List<String> lines = Files.readAllLines(mounts);
    List<String> memberships = Files.readAllLines(groups);
    for (String line : lines) {
      String[] type = line.substring(line.indexOf(MARK) + MARK.length()).split(" ", -1);
      if (type[0].equals("cgroup") && has(type[type.length - 1])) {
        return at(root, Version.V1, line, memberships);
      }
    }
    for (String line : lines) {
      if (line.contains(MARK + "cgroup2 ")) {
        return at(root, Version.V2, line, memberships);
      }
    }
    throw new UsageException(
        "limiting memory needs control groups, and none are mounted: mount -t cgroup2 none"
            + " /sys/fs/cgroup");
  }

  private static boolean has(String controllers) {
    return Arrays.asList(controllers.split(",")).contains(Version.CONTROLLER);
  }

  private static Mounted at(Path root, Version version, String mount, List<String> memberships) {
    String[] fields = mount.split(" ", -1);
    Path top = root.resolve(fields[POINT].substring(1));
    Path mountRoot = Path.of(fields[ROOT]);
    for (String line : memberships) {
      String[] parts = line.split(":", 3);
      if (version == Version.V1 ? has(parts[1]) : parts[0].equals("0")) {
        Path group = Path.of(parts[2]);
        // A container may see a part of the tree only, and its own place under the host's name.
        Path own = group.startsWith(mountRoot) ? top.resolve(mountRoot.relativize(group)) : top;
        return new Mounted(version, top, Files.isDirectory(own) ? own.normalize() : top);
      }
    }
    return new Mounted(version, top, top);
  }

  /** A group and those above it, up to the top of the tree. */
  List<Path> upFrom(Path group) {
    List<Path> groups = new ArrayList<>(List.of(group));
    while (groups.getLast().startsWith(top) && !groups.getLast().equals(top)) {
      groups.add(groups.getLast().resolve("..").normalize());
    }
    return groups;
  }
}
