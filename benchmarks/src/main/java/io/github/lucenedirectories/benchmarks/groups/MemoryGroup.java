package io.github.lucenedirectories.benchmarks.groups;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A control group with a limit of memory, for one process and what that starts. Closing it removes
 * it; its processes must have ended. Any thread may close it, and again.
 */
public final class MemoryGroup implements Closeable {
  /* A process that was killed stays in its group for a moment. */
  private static final int REMOVE_MILLIS = 5_000;
  private static final int PAUSE_MILLIS = 10;

  private final GroupTree tree;
  private final Version version;
  private final Path folder;

  private MemoryGroup(GroupTree tree, Version version, Path folder) {
    this.tree = tree;
    this.version = version;
    this.folder = folder;
  }

  /** Makes a group that is not there yet and limits it. */
  static MemoryGroup make(GroupTree tree, Version version, Path folder, long limitBytes)
      throws IOException {
    tree.make(folder);
    MemoryGroup group = new MemoryGroup(tree, version, folder);
    try {
      tree.write(folder.resolve(version.limit()), Long.toString(limitBytes));
      Path swap = folder.resolve(version.swap());
      if (Files.exists(swap)) {
        tree.write(swap, version.swapLimit(limitBytes));
      }
      return group;
    } catch (IOException e) {
      try {
        group.close();
      } catch (IOException f) {
        e.addSuppressed(f);
      }
      throw e;
    }
  }

  /**
   * A command that enters the group and then becomes the command in its last arguments: all memory
   * that this takes from its first instruction on is the group's.
   */
  public List<String> launcher() {
    return List.of(
        "/bin/sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", folder.toString());
  }

  /** The most bytes that the group has had; empty if the kernel does not tell. */
  public OptionalLong peakBytes() throws IOException {
    Path peak = folder.resolve(version.peak());
    return Files.exists(peak)
        ? OptionalLong.of(Long.parseLong(Files.readString(peak).strip()))
        : OptionalLong.empty();
  }

  /** Whether the kernel has killed a process because the limit left it no memory. */
  public boolean hasKilled() throws IOException {
    for (String line : Files.readAllLines(folder.resolve(version.kills()))) {
      if (line.startsWith("oom_kill ")) {
        return !line.endsWith(" 0");
      }
    }
    return false;
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
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while removing the control group " + folder, e);
      }
    }
  }
}
