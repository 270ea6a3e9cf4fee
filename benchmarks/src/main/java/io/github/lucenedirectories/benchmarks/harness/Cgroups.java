// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Makes Linux control groups with limited memory where this process may: below its own group, or
 * else below the nearest one above that allows it. With version 2 that is a sibling or further
 * away, since a group with processes cannot have limited children.
 */
public final class Cgroups {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final long PROBE_BYTES = 1L << 26;
  private static final String CONTROLLER = "memory";

  /* A process that was killed stays in its group for a moment. */
  private static final int REMOVE_MILLIS = 5_000;
  private static final int PAUSE_MILLIS = 10;

  private final Tree tree;
  private final Hierarchy hierarchy;

  /* The group that new groups are made in, and before it those above it. */
  private final List<Path> above;

  /**
   * The two versions, with the names of the kernel's files: a group's limit in bytes, or a word for
   * none; the limit of swap, which the kernel may have been started without; the most bytes that
   * the group has had, which version 2 lacks before Linux 5.19; counts, one of them of the
   * processes killed at the limit; and the word for the page cache in the statistics.
   */
  private enum Hierarchy {
    /* The controller of memory has a tree of its own. */
    V1(
        "memory.limit_in_bytes",
        "memory.memsw.limit_in_bytes",
        "memory.max_usage_in_bytes",
        "memory.oom_control",
        "cache "),

    /* One tree; a group with limited children has no processes itself, unless it is the root. */
    V2("memory.max", "memory.swap.max", "memory.peak", "memory.events", "file ");

    final String limit;
    final String swap;
    final String peak;
    final String kills;
    final String cache;

    Hierarchy(String limit, String swap, String peak, String kills, String cache) {
      this.limit = limit;
      this.swap = swap;
      this.peak = peak;
      this.kills = kills;
      this.cache = cache;
    }
  }

  /** The changes to a mounted tree of control groups. A test replaces them. */
  static class Tree {
    void make(Path group) throws IOException {
      Files.createDirectory(group);
    }

    /** Removes a group without processes; does nothing if it is gone. */
    void remove(Path group) throws IOException {
      Files.deleteIfExists(group);
    }

    /** The kernel's files appear with their folder: writing to one never creates it. */
    void write(Path file, String value) throws IOException {
      Files.writeString(file, value, StandardOpenOption.WRITE);
    }
  }

  private Cgroups(Tree tree, Hierarchy hierarchy, List<Path> above) {
    this.tree = tree;
    this.hierarchy = hierarchy;
    this.above = List.copyOf(above);
  }

  /** Finds out where groups can be made, by making one and starting a process in it. */
  public static Cgroups find() throws IOException {
    return find(Path.of("/"), new Tree());
  }

  static Cgroups find(Path root, Tree tree) throws IOException {
    Cgroups own = own(root, tree);
    List<String> refusals = new ArrayList<>();
    for (int depth = own.above.size(); depth > 0; depth--) {
      Cgroups groups = new Cgroups(tree, own.hierarchy, own.above.subList(0, depth));
      try {
        groups.allowChildren();
        try (Group probe = groups.make(PROBE_BYTES)) {
          enter(probe);
        }
        return groups;
      } catch (IOException e) {
        refusals.add(groups.above.getLast() + ": " + e);
      }
    }
    throw new UsageException(
        "no control group with limited memory can be made here (tried "
            + String.join("; ", refusals)
            + "). Run as root, or as 'systemd-run --user --scope ./run ...', or in a"
            + " container with its control groups writable");
  }

  private static Cgroups own(Path root, Tree tree) throws IOException {
    Path mounts = root.resolve("proc/self/mountinfo");
    Path groups = root.resolve("proc/self/cgroup");
    RunOptions.refuse(
        !Files.isReadable(mounts) || !Files.isReadable(groups),
        "limiting memory needs the control groups of Linux: no " + groups);
    List<String> memberships = Files.readAllLines(groups);
    String unified = "";
    for (String line : Files.readAllLines(mounts)) {
      String type = line.split(" - ", 2)[1];
      if (type.startsWith("cgroup ") && has(type.substring(type.lastIndexOf(' ') + 1))) {
        return new Cgroups(tree, Hierarchy.V1, path(root, Hierarchy.V1, line, memberships));
      }
      unified = unified.isEmpty() && type.startsWith("cgroup2 ") ? line : unified;
    }
    RunOptions.refuse(
        unified.isEmpty(),
        "limiting memory needs control groups, and none are mounted: mount -t cgroup2 none"
            + " /sys/fs/cgroup");
    return new Cgroups(tree, Hierarchy.V2, path(root, Hierarchy.V2, unified, memberships));
  }

  private static boolean has(String controllers) {
    return List.of(controllers.split(",")).contains(CONTROLLER);
  }

  /** The folders from the top of the mounted tree down to the group of this process. */
  private static List<Path> path(
      Path root, Hierarchy hierarchy, String mount, List<String> memberships) {
    // Its number, its parent's, the device, the root and the place.
    String[] fields = mount.split(" ", -1);
    Path mounted = Path.of(fields[3]);
    List<Path> folders = new ArrayList<>(List.of(root.resolve(fields[4].substring(1))));
    for (String line : memberships) {
      String[] parts = line.split(":", 3);
      if (hierarchy == Hierarchy.V1 ? has(parts[1]) : parts[0].equals("0")) {
        Path group = Path.of(parts[2]);
        // A container may see a part of the tree only, and its own place under the host's name.
        Path below = group.startsWith(mounted) ? mounted.relativize(group) : Path.of("");
        if (Files.isDirectory(folders.getFirst().resolve(below))) {
          below.forEach(name -> folders.add(folders.getLast().resolve(name).normalize()));
        }
      }
    }
    return folders.stream().distinct().toList();
  }

  /** Allows limits for the children of the group, or says why there can be none. */
  private void allowChildren() throws IOException {
    if (hierarchy == Hierarchy.V1) {
      return;
    }
    Path parent = above.getLast();
    if (!words(parent.resolve("cgroup.controllers")).contains(CONTROLLER)) {
      throw new IOException("no controller of memory there");
    }
    Path children = parent.resolve("cgroup.subtree_control");
    if (!words(children).contains(CONTROLLER)) {
      tree.write(children, "+" + CONTROLLER);
    }
  }

  private static List<String> words(Path file) throws IOException {
    return List.of(Files.readString(file).strip().split("\\s+"));
  }

  private static void enter(Group probe) throws IOException {
    List<String> command = new ArrayList<>(probe.launcher());
    command.add("true");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("a process cannot be put into it");
    }
  }

  /** A new group; the caller closes it. */
  public Group make(long limitBytes) throws IOException {
    String name =
        "lucene-directories-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    Group group = new Group(above.getLast().resolve(name));
    tree.make(group.folder);
    try {
      tree.write(group.folder.resolve(hierarchy.limit), Long.toString(limitBytes));
      Path swap = group.folder.resolve(hierarchy.swap);
      if (Files.exists(swap)) {
        // Swap shall add nothing to the memory: version 1 limits their sum.
        tree.write(swap, hierarchy == Hierarchy.V1 ? Long.toString(limitBytes) : "0");
      }
      return group;
    } catch (IOException e) {
      IOUtils.closeWhileSuppressingExceptions(e, group);
      throw e;
    }
  }

  /** The least limit of the groups that a new group is in, in bytes. */
  public long leastLimitAbove() throws IOException {
    long least = Long.MAX_VALUE;
    for (Path group : above) {
      Path file = group.resolve(hierarchy.limit);
      // Where there is no limit the file has a word, or does not exist.
      String limit = Files.exists(file) ? Files.readString(file).strip() : "";
      least = limit.matches("\\d+") ? Math.min(least, Long.parseLong(limit)) : least;
    }
    return least;
  }

  @Override
  public String toString() {
    return "control groups version " + (hierarchy == Hierarchy.V1 ? 1 : 2);
  }

  /**
   * A control group with a limit of memory, for one process and its children. Closing it removes
   * it; its processes must have ended. Any thread may close it, more than once.
   */
  public final class Group implements Closeable {
    private final Path folder;

    private Group(Path folder) {
      this.folder = folder;
    }

    /**
     * A command that enters the group and then becomes the command in its last arguments: all
     * memory that this takes from its first instruction on is the group's.
     */
    public List<String> launcher() {
      return List.of(
          "/bin/sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", folder.toString());
    }

    /** The most bytes that the group has had; null if the kernel does not say. */
    public @Nullable Long peakBytes() throws IOException {
      return number(hierarchy.peak, "");
    }

    /** The bytes of its page cache; null if the kernel does not say. */
    public @Nullable Long cacheBytes() throws IOException {
      return number("memory.stat", hierarchy.cache);
    }

    /** The number of a line of a file; null where there is none. */
    private @Nullable Long number(String name, String word) throws IOException {
      Path file = folder.resolve(name);
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        if (line.startsWith(word)) {
          return Long.valueOf(line.substring(word.length()));
        }
      }
      return null;
    }

    /** Whether the kernel has killed a process because the limit left it no memory. */
    public boolean hasKilled() throws IOException {
      return Files.readAllLines(folder.resolve(hierarchy.kills)).stream()
          .anyMatch(line -> line.startsWith("oom_kill ") && !line.endsWith(" 0"));
    }

    @Override
    public void close() throws IOException {
      for (int waited = 0; ; waited += PAUSE_MILLIS) {
        try {
          tree.remove(folder);
          return;
        } catch (IOException e) {
          if (waited >= REMOVE_MILLIS) {
            throw new IOException("the control group " + folder + " cannot be removed", e);
          }
        }
        LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000L);
      }
    }
  }
}
