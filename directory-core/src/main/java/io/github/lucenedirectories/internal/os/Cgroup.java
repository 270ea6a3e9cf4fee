// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The Linux control groups of this process, version 1 or 2. Each may limit its memory, including
 * the page cache.
 *
 * <p>The JVM looks at the process's own group. A limit may be set further up: on a systemd slice
 * or, with version 1, on a pod whose containers have none. With version 2 a container usually sees
 * nothing above its own group.
 */
final class Cgroup {

  /** Names the process's group in each tree; see cgroups(7). */
  private static final String MEMBERSHIPS = "proc/self/cgroup";

  private static final String CONTROLLER = "memory";

  /** In version 1, the limit of all groups above, including those a container does not see. */
  private static final String ALL_ABOVE = "hierarchical_memory_limit ";

  private static final Cgroup OF_PROCESS = ofThisMachine();

  private enum Version {
    V1("sys/fs/cgroup/memory", "memory.usage_in_bytes", "memory.limit_in_bytes"),
    V2("sys/fs/cgroup", "memory.current", "memory.max", "memory.high");

    /** Where systems mount the tree. */
    private final String top;

    private final String usage;
    private final List<String> limits;

    Version(String top, String usage, String... limits) {
      this.top = top;
      this.usage = usage;
      this.limits = List.of(limits);
    }
  }

  private final Version version;

  /** The folders of the groups, from the topmost one to the process's own; none if not found. */
  private final List<Path> folders;

  private Cgroup(Version version, List<Path> folders) {
    this.version = version;
    this.folders = folders;
  }

  private static Cgroup ofThisMachine() {
    try {
      return find(Path.of("/"));
    } catch (InvalidPathException | SecurityException _) {
      // The limits that the JVM itself knows must do.
      return new Cgroup(Version.V2, List.of());
    }
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
    Version version = Version.V2;
    String group = "";
    for (String membership : ProcFs.lines(root.resolve(MEMBERSHIPS))) {
      String[] parts = membership.split(":", 3);
      if (parts.length == 3 && Arrays.asList(parts[1].split(",")).contains(CONTROLLER)) {
        version = Version.V1;
        group = parts[2];
      } else if (membership.startsWith("0::") && version == Version.V2) {
        group = parts[2];
      }
    }
    Path top = root.resolve(version.top);
    return new Cgroup(version, group.isEmpty() ? List.of() : folders(top, ProcFs.name(group)));
  }

  /**
   * The folders from the top of a tree to a group. A container's view begins with a group whose
   * name, as that of the groups above, only the host sees.
   */
  private static List<Path> folders(Path top, String group) {
    List<String> names = Arrays.stream(group.split("/")).filter(name -> !name.isEmpty()).toList();
    for (int hidden = names.contains("..") ? names.size() : 0; hidden <= names.size(); hidden++) {
      List<Path> folders = new ArrayList<>(List.of(top));
      for (String name : names.subList(hidden, names.size())) {
        folders.add(folders.getLast().resolve(name));
      }
      if (Files.isDirectory(folders.getLast())) {
        return folders;
      }
    }
    return List.of();
  }

  /**
   * The smallest current limit, in bytes; {@link Long#MAX_VALUE} if there is none. In version 2
   * {@code memory.high} is a limit too: above it the kernel reclaims pages of the group.
   */
  long maxBytes() {
    long least = least(_ -> 0);
    if (version == Version.V1 && !folders.isEmpty()) {
      Path facts = folders.getLast().resolve("memory.stat");
      least = Math.min(least, ProcFs.number(facts, ALL_ABOVE).orElse(least));
    }
    return least;
  }

  /**
   * What the groups may take beyond what they hold, page cache included; {@link Long#MAX_VALUE} if
   * there is no limit, and negative if it is not known what they hold.
   */
  long freeBytes() {
    return least(folder -> ProcFs.number(folder.resolve(version.usage), "").orElse(Long.MAX_VALUE));
  }

  private long least(ToLongFunction<Path> taken) {
    long least = Long.MAX_VALUE;
    for (Path folder : folders) {
      for (String file : version.limits) {
        OptionalLong limit = ProcFs.number(folder.resolve(file), "");
        if (limit.isPresent()) {
          least = Math.min(least, limit.getAsLong() - taken.applyAsLong(folder));
        }
      }
    }
    return least;
  }
}
