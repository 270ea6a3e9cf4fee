package io.github.lucenedirectories.benchmarks.groups;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A version of the kernel's interface to control groups: the names and meanings of its files. */
enum Version {
  /** The controller of memory has a tree of its own. */
  V1(
      "memory.limit_in_bytes",
      "memory.memsw.limit_in_bytes",
      "memory.max_usage_in_bytes",
      "memory.oom_control") {
    @Override
    String swapLimit(long limitBytes) {
      // Of memory and swap together.
      return Long.toString(limitBytes);
    }

    @Override
    void allowChildren(GroupTree tree, Path parent) {
      // Any group may have them.
    }
  },

  /** One tree; a group with limited children has no processes itself, unless it is the root. */
  V2("memory.max", "memory.swap.max", "memory.peak", "memory.events") {
    @Override
    String swapLimit(long limitBytes) {
      return "0";
    }

    @Override
    void allowChildren(GroupTree tree, Path parent) throws IOException {
      if (!words(parent.resolve("cgroup.controllers")).contains(CONTROLLER)) {
        throw new IOException("no controller of memory there");
      }
      if (!words(parent.resolve(CHILDREN)).contains(CONTROLLER)) {
        tree.write(parent.resolve(CHILDREN), "+" + CONTROLLER);
      }
    }
  };

  static final String CONTROLLER = "memory";
  private static final String CHILDREN = "cgroup.subtree_control";

  private final String limit;
  private final String swap;
  private final String peak;
  private final String kills;

  Version(String limit, String swap, String peak, String kills) {
    this.limit = limit;
    this.swap = swap;
    this.peak = peak;
    this.kills = kills;
  }

  /** Makes that children of a group can have limits, or says why not. */
  abstract void allowChildren(GroupTree tree, Path parent) throws IOException;

  /** What to limit swap to, so that it adds nothing to the memory. */
  abstract String swapLimit(long limitBytes);

  /** The file with a group's limit in bytes, or a word for none. */
  String limit() {
    return limit;
  }

  /** The file that limits swap; the kernel may have been started without it. */
  String swap() {
    return swap;
  }

  /** The file with the most bytes that the group has had; before Linux 5.19 version 2 has none. */
  String peak() {
    return peak;
  }

  /** The file with a line that counts the processes killed at the limit. */
  String kills() {
    return kills;
  }

  private static List<String> words(Path file) throws IOException {
    return List.of(Files.readString(file).strip().split("\\s+"));
  }
}
