// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.lucene.util.SuppressForbidden;

/**
 * A control group for a node, of version 1 or 2, beside a device whose read-ahead is that of Linux
 * while this process runs. Both need root. When the process ends, also after an error, but not by
 * {@code kill -9}, the node ends too, the group goes, and the read-ahead is what it was.
 */
@SuppressForbidden(reason = "a command prints")
final class MemoryGroup {

  private static final String READ_AHEAD_KIB = "128";

  private final boolean old;
  private final Path folder;

  /** The kernel's folder of the device that the data are on, and its file of the read-ahead. */
  private final Path device;

  private final Path setting;

  MemoryGroup(Node node) throws IOException {
    String memory = "";
    String unified = "";
    for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      memory = parts[1].equals("memory") ? parts[2] : memory;
      unified = parts[1].isEmpty() ? parts[2] : unified;
    }
    old = !memory.isEmpty();
    String name = "lucene-directories-knn-" + ProcessHandle.current().pid();
    // Of version 2, a group with processes has no limited children: a sibling.
    Path parent =
        old
            ? Path.of("/sys/fs/cgroup/memory" + memory)
            : Path.of("/sys/fs/cgroup", unified, "..").normalize();
    parent = parent.startsWith("/sys/fs/cgroup") ? parent : Path.of("/sys/fs/cgroup");
    folder = parent.resolve(name);
    long number = ((Number) Files.getAttribute(node.data(), "unix:dev")).longValue();
    long minor = (number & 0xff) | ((number >>> 12) & 0xfff00);
    device = Path.of("/sys/dev/block", ((number >>> 8) & 0xfff) + ":" + minor);
    Path own = device.resolve("queue/read_ahead_kb");
    // A partition has it in its disk's folder.
    setting = Files.exists(own) ? own : device.resolve("../queue/read_ahead_kb");
    if (!old) {
      write(parent.resolve("cgroup.subtree_control"), "+memory");
    }
    Files.createDirectory(folder);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(node)));
    node.launcher =
        List.of("/bin/sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", folder.toString());
    Path swap = folder.resolve(old ? "memory.swappiness" : "memory.swap.max");
    if (Files.exists(swap)) {
      write(swap, "0");
    }
    setReadAhead();
  }

  /** The kernel's files are there: writing never creates one. */
  private static void write(Path file, String value) throws IOException {
    Files.writeString(file, value, StandardOpenOption.WRITE);
  }

  private void end(Node node) {
    try {
      node.kill();
      String kills = Files.readString(folder.resolve(old ? "memory.oom_control" : "memory.events"));
      if (kills.matches("(?s).*\\boom_kill [1-9].*")) {
        Smoke.OUT.println("the kernel has killed a node at the limit");
      }
      for (int i = 0; Files.exists(folder) && i < 100; i++) {
        Thread.sleep(50); // a process that was killed stays in its group for a moment
        if (folder.toFile().delete()) {
          return;
        }
      }
      Smoke.OUT.println("NOT REMOVED: " + folder);
    } catch (IOException | InterruptedException e) {
      Smoke.OUT.println("NOT REMOVED: " + folder + ": " + e);
    }
  }

  private void setReadAhead() throws IOException {
    String before = Files.readString(setting).strip();
    try {
      if (!before.equals(READ_AHEAD_KIB)) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> restore(before)));
        write(setting, READ_AHEAD_KIB);
      }
    } catch (IOException e) {
      Smoke.OUT.println("READ-AHEAD NOT SET, these are no figures to compare: " + e);
    }
    Smoke.OUT.println("read-ahead: " + readAhead() + " KiB, was " + before + " KiB");
  }

  /** In force now, in KiB: another process may have changed it. */
  String readAhead() throws IOException {
    return Files.readString(setting).strip();
  }

  private void restore(String before) {
    try {
      write(setting, before);
    } catch (IOException e) {
      Smoke.OUT.println("READ-AHEAD NOT RESTORED: echo " + before + " > " + setting + ": " + e);
    }
  }

  /** Bytes at most, the page cache included. */
  void limit(long bytes) throws IOException {
    write(folder.resolve(old ? "memory.limit_in_bytes" : "memory.max"), "" + bytes);
  }

  /** Drops the group's page cache; the bytes that stay. */
  long drop() throws IOException {
    try {
      write(folder.resolve(old ? "memory.force_empty" : "memory.reclaim"), old ? "0" : "64G");
    } catch (IOException _) {
      // Version 2 says so when there was less than this.
    }
    String used =
        Files.readString(folder.resolve(old ? "memory.usage_in_bytes" : "memory.current"));
    return Long.parseLong(used.strip());
  }

  /** Bytes of files in the group's memory. */
  long pageCache() throws IOException {
    String file = old ? "cache " : "file ";
    for (String line : Files.readAllLines(folder.resolve("memory.stat"))) {
      if (line.startsWith(file)) {
        return Long.parseLong(line.substring(file.length()));
      }
    }
    throw new IOException("no " + file + "in the group's memory.stat");
  }

  /**
   * Reads that the device ended since it started, of all processes; bytes that process {@code pid}
   * had it read; and major page faults of that process.
   */
  long[] counts(long pid) throws IOException {
    Path process = Path.of("/proc/" + pid);
    String stat = Files.readString(process.resolve("stat")).replaceFirst(".*\\) ", "");
    String io = Files.readString(process.resolve("io")).replaceAll("(?s).*\nread_bytes: ", "");
    return new long[] {
      Long.parseLong(Files.readString(device.resolve("stat")).strip().split(" +", 2)[0]),
      Long.parseLong(io.split("\n", 2)[0]),
      Long.parseLong(stat.split(" ", -1)[9])
    };
  }
}
