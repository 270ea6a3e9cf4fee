package io.github.lucenedirectories.benchmarks.groups;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes groups with limited memory where this process may: below its own group, or else below the
 * nearest one above that allows it. With version 2 that is a sibling or further away, since a group
 * with processes cannot have limited children.
 */
public final class MemoryGroups {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final long PROBE_BYTES = 1L << 26;

  private final GroupTree tree;
  private final Mounted mounted;
  private final Path parent;

  private MemoryGroups(GroupTree tree, Mounted mounted, Path parent) {
    this.tree = tree;
    this.mounted = mounted;
    this.parent = parent;
  }

  /**
   * Finds out where groups can be made, by making one and starting a process in it.
   *
   * @throws UsageException if they can be nowhere, with what was tried and what would help
   */
  public static MemoryGroups find() throws IOException {
    return find(Path.of("/"), new GroupTree());
  }

  static MemoryGroups find(Path root, GroupTree tree) throws IOException {
    Mounted mounted = Mounted.find(root);
    List<String> refusals = new ArrayList<>();
    for (Path parent : mounted.upFrom(mounted.own())) {
      MemoryGroups groups = new MemoryGroups(tree, mounted, parent);
      try {
        mounted.version().allowChildren(tree, parent);
        try (MemoryGroup probe = groups.make(PROBE_BYTES)) {
          enter(probe);
        }
        return groups;
      } catch (IOException e) {
        refusals.add(parent + ": " + e);
      }
    }
    throw new UsageException(
        "no control group with limited memory can be made here (tried "
            + String.join("; ", refusals)
            + "). Run as root, or as 'systemd-run --user --scope ./run ...', or in a"
            + " container with its control groups writable");
  }

  private static void enter(MemoryGroup group) throws IOException {
    List<String> command = new ArrayList<>(group.launcher());
    command.add("true");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("a process cannot be put into it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** A new group; the caller closes it. */
  public MemoryGroup make(long limitBytes) throws IOException {
    String name =
        "lucene-directories-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    return MemoryGroup.make(tree, mounted.version(), parent.resolve(name), limitBytes);
  }

  /** The least limit of the groups that a new group lies in, in bytes. */
  public long leastLimitAbove() throws IOException {
    long least = Long.MAX_VALUE;
    for (Path group : mounted.upFrom(parent)) {
      Path file = group.resolve(mounted.version().limit());
      // Where there is no limit the file has a word, or is not there.
      String limit = Files.exists(file) ? Files.readString(file).strip() : "";
      if (limit.matches("\\d+")) {
        least = Math.min(least, Long.parseLong(limit));
      }
    }
    return least;
  }

  @Override
  public String toString() {
    return "control groups version " + (mounted.version() == Version.V1 ? 1 : 2);
  }
}
