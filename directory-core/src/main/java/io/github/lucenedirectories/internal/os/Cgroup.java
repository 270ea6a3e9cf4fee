// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Linux control groups of this process, version 1 or 2. Each may limit its memory, including
 * the page cache.
 *
 * <p>The JVM looks at the process's own group. A limit may be set further up: on a systemd slice
 * or, with version 1, on a pod whose containers have none. With version 2 a container usually sees
 * nothing above its own group.
 */
final class Cgroup {

  /*
   * /proc/self/cgroup names the group in each tree, /proc/self/mountinfo the mount point of each
   * tree and, in a container, the mounted part; see cgroups(7) and proc_pid_mountinfo(5).
   */

  private static final String MEMBERSHIPS = "proc/self/cgroup";
  private static final String MOUNTS = "proc/self/mountinfo";

  private static final int MOUNTED_PART = 3;
  private static final int MOUNT_POINT = 4;

  /** Precedes the type, the source and the options in a line of mountinfo. */
  private static final String MARK = " - ";

  private static final String CONTROLLER = "memory";

  /** In version 1, the limit of all groups above, including those a container does not see. */
  private static final String ALL_ABOVE = "hierarchical_memory_limit ";

  private static final Cgroup OF_PROCESS = ofThisMachine();

  private enum Version {
    V1("memory.limit_in_bytes"),
    V2("memory.max", "memory.high");

    private final List<String> limits;

    Version(String... limits) {
      this.limits = List.of(limits);
    }
  }

  private final Version version;

  /** The folders of the groups, from the topmost one to the process's own. */
  private final List<Path> folders;

  private Cgroup(Version version, List<Path> folders) {
    this.version = version;
    this.folders = folders;
  }

  private static Cgroup ofThisMachine() {
    try {
      return find(Path.of("/"));
    } catch (InvalidPathException _) {
      // This JVM cannot encode the group's name. The limits that the JVM itself knows must do.
      return none();
    }
  }

  private static Cgroup none() {
    return new Cgroup(Version.V2, List.of());
  }

  static Cgroup ofProcess() {
    return OF_PROCESS;
  }

  /** Whether the process's group was found. */
  boolean isKnown() {
    return !folders.isEmpty();
  }

  /** Finds the groups below the root of a file system; tests pass a root of their own. */
  static Cgroup find(Path root) {
    List<String> memberships = ProcFs.lines(root.resolve(MEMBERSHIPS));
    List<String> mounts = ProcFs.lines(root.resolve(MOUNTS));
    for (String membership : memberships) {
      String[] parts = membership.split(":", 3);
      if (parts.length == 3 && Arrays.asList(parts[1].split(",")).contains(CONTROLLER)) {
        String group = ProcFs.name(parts[2]);
        return at(root, Version.V1, mounts, MARK + "cgroup ", CONTROLLER, group);
      }
    }
    for (String membership : memberships) {
      if (membership.startsWith("0::")) {
        String group = ProcFs.name(membership.substring("0::".length()));
        return at(root, Version.V2, mounts, MARK + "cgroup2 ", "", group);
      }
    }
    return none();
  }

  private static Cgroup at(
      Path root, Version version, List<String> mounts, String type, String option, String group) {
    List<Path> folders = List.of();
    for (String mount : mounts) {
      int mark = mount.indexOf(type);
      List<String> options = Arrays.asList(mount.substring(mount.lastIndexOf(' ') + 1).split(","));
      if (mark >= 0 && (option.isEmpty() || options.contains(option))) {
        String[] fields = mount.substring(0, mark).split(" ", -1);
        Path top = root.resolve(ProcFs.escapedName(fields[MOUNT_POINT]).substring(1));
        Path mountedPart = Path.of(ProcFs.escapedName(fields[MOUNTED_PART]));
        if (Path.of(group).startsWith(mountedPart)) {
          return new Cgroup(version, downwards(top, mountedPart.relativize(Path.of(group))));
        }
        if (folders.isEmpty()) {
          // A container's view begins with its own group, whatever its name on the host.
          folders = List.of(top);
        }
      }
    }
    return new Cgroup(version, folders);
  }

  private static List<Path> downwards(Path top, Path group) {
    List<Path> folders = new ArrayList<>(List.of(top));
    for (Path name : group) {
      folders.add(folders.getLast().resolve(name.toString()));
    }
    return folders;
  }

  /**
   * The smallest current limit, in bytes; {@link Long#MAX_VALUE} if there is none. In version 2
   * {@code memory.high} is a limit too: above it the kernel reclaims pages of the group.
   */
  long maxBytes() {
    long least = Long.MAX_VALUE;
    for (Path folder : folders) {
      for (String file : version.limits) {
        least = Math.min(least, ProcFs.number(folder.resolve(file), "").orElse(least));
      }
    }
    if (version == Version.V1 && !folders.isEmpty()) {
      Path facts = folders.getLast().resolve("memory.stat");
      least = Math.min(least, ProcFs.number(facts, ALL_ABOVE).orElse(least));
    }
    return least;
  }
}
