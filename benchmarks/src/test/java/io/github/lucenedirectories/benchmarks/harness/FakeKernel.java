// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder tree that behaves as control groups do, as far as is relied on. */
final class FakeKernel extends Cgroups.Tree {
  private final Path top;
  private final int version;
  final List<String> changes = new ArrayList<>();

  /** How many times a group cannot be removed because its process is still there. */
  int busy;

  FakeKernel(Path root, int version, String mountRoot, String own) throws IOException {
    this.version = version;
    this.top = root.resolve("sys/fs/cgroup/here");
    Path self = Files.createDirectories(root.resolve("proc/self"));
    String type = version == 1 ? "cgroup cgroup rw,memory" : "cgroup2 cgroup2 rw";
    Files.writeString(
        self.resolve("mountinfo"),
        "21 20 0:19 / / rw - ext4 /dev/vda rw\n"
            + "30 21 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
            + ("32 21 0:29 " + mountRoot + " /sys/fs/cgroup/here rw - " + type + "\n"));
    Files.writeString(
        self.resolve("cgroup"),
        version == 1 ? "5:cpu:/no\n4:memory:" + own + "\n" : "0::" + own + "\n");
    Files.createDirectories(top);
    appear(top, "memory");
  }

  Path top() {
    return top;
  }

  /** A group that was there before. */
  Path group(String path, String controllers, String children) throws IOException {
    Path group = Files.createDirectories(top.resolve(path));
    appear(group, controllers);
    if (version == 2) {
      Files.writeString(group.resolve("cgroup.subtree_control"), children);
    }
    return group;
  }

  private void appear(Path group, String controllers) throws IOException {
    List<String> files = new ArrayList<>(List.of("cgroup.procs"));
    if (version == 2) {
      Files.writeString(group.resolve("cgroup.controllers"), controllers + "\n");
      files.add("cgroup.subtree_control");
    }
    if (version == 1 || !group.equals(top)) {
      files.addAll(
          version == 1
              ? List.of("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
              : List.of("memory.max", "memory.swap.max"));
    }
    for (String file : files) {
      Files.writeString(group.resolve(file), "");
    }
  }

  @Override
  void make(Path group) throws IOException {
    super.make(group);
    Path parent = group.resolve("..").normalize();
    boolean limited =
        version == 1
            || Files.readString(parent.resolve("cgroup.subtree_control")).contains("memory");
    if (limited) {
      appear(group, "memory");
    }
    changes.add("make " + top.relativize(parent));
  }

  @Override
  void write(Path file, String value) throws IOException {
    Path group = file.resolve("..").normalize();
    boolean children = file.endsWith("cgroup.subtree_control");
    if (children
        && !group.equals(top)
        && !Files.readString(group.resolve("cgroup.procs")).isEmpty()) {
      throw new FileSystemException(file.toString(), null, "Device or resource busy");
    }
    super.write(file, children ? value.substring(1) : value);
    changes.add(file.getFileName() + "=" + value);
  }

  @Override
  void remove(Path group) throws IOException {
    if (busy > 0) {
      busy--;
      throw new DirectoryNotEmptyException(group.toString());
    }
    if (Files.exists(group)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(group)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      changes.add("remove");
    }
    super.remove(group);
  }
}
