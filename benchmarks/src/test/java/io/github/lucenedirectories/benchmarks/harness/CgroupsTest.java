// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both versions of control groups, on a tree of folders. */
class CgroupsTest {
  private static final long LIMIT = 700L << 20;

  @TempDir private Path root;

  private static Path only(Path parent) throws IOException {
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, "lucene-directories-*")) {
      return groups.iterator().next();
    }
  }

  private static boolean isEmpty(Path parent) throws IOException {
    try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, "lucene-directories-*")) {
      return !groups.iterator().hasNext();
    }
  }

  @Test
  void version1LimitsAChildOfTheOwnGroup() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 1, "/", "/a/b");
    Path own = kernel.group("a/b", "", "");
    Cgroups groups = Cgroups.find(root, kernel);
    assertTrue(isEmpty(own), "the group that was tried is gone");
    kernel.changes.clear();
    try (Cgroups.Group group = groups.make(LIMIT)) {
      Path folder = only(own);
      assertEquals(
          List.of(
              "make a/b", "memory.limit_in_bytes=" + LIMIT, "memory.memsw.limit_in_bytes=" + LIMIT),
          kernel.changes);
      assertEquals(folder.toString(), group.launcher().getLast());
      assertNull(group.peakBytes());
      Files.writeString(folder.resolve("memory.max_usage_in_bytes"), "12345\n");
      assertEquals(Long.valueOf(12345), group.peakBytes());
      assertNull(group.cacheBytes());
      Files.writeString(folder.resolve("memory.stat"), "cache 4096\nrss 8192\n");
      assertEquals(Long.valueOf(4096), group.cacheBytes());
      Files.writeString(folder.resolve("memory.oom_control"), "under_oom 0\noom_kill 0\n");
      assertFalse(group.hasKilled());
      Files.writeString(folder.resolve("memory.oom_control"), "under_oom 0\noom_kill 1\n");
      assertTrue(group.hasKilled());
    }
    assertTrue(isEmpty(own));
  }

  @Test
  void aContainerSeesItsPartOfTheTree() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 1, "/docker/1", "/docker/1/x");
    Path own = kernel.group("x", "", "");
    try (Cgroups.Group group = Cgroups.find(root, kernel).make(LIMIT)) {
      assertEquals(only(own).toString(), group.launcher().getLast());
    }
    Path elsewhere = Files.createDirectory(root.resolve("other"));
    FakeKernel hidden = new FakeKernel(elsewhere, 1, "/docker/1", "/docker/2");
    try (Cgroups.Group group = Cgroups.find(elsewhere, hidden).make(LIMIT)) {
      assertEquals(only(hidden.top()).toString(), group.launcher().getLast());
    }
  }

  @Test
  void version2LimitsASiblingBecauseTheOwnGroupHasProcesses() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 2, "/", "/app.slice/run.scope");
    Path slice = kernel.group("app.slice", "memory pids", "memory");
    Path own = kernel.group("app.slice/run.scope", "memory pids", "");
    Files.writeString(own.resolve("cgroup.procs"), "17\n");
    Cgroups groups = Cgroups.find(root, kernel);
    kernel.changes.clear();
    try (Cgroups.Group group = groups.make(LIMIT)) {
      assertEquals(only(slice).toString(), group.launcher().getLast());
      assertEquals(
          List.of("make app.slice", "memory.max=" + LIMIT, "memory.swap.max=0"), kernel.changes);
      Path statistics = only(slice).resolve("memory.stat");
      Files.writeString(statistics, "anon 1\nfile 8192\nfile_mapped 2\n");
      assertEquals(Long.valueOf(8192), group.cacheBytes());
    }
    assertTrue(isEmpty(slice));
  }

  @Test
  void version2LetsTheRootHaveLimitedChildren() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 2, "/", "/own");
    Path own = kernel.group("own", "", "");
    Files.writeString(own.resolve("cgroup.procs"), "17\n");
    Cgroups.find(root, kernel);
    assertEquals("cgroup.subtree_control=+memory", kernel.changes.get(0));
    assertEquals("make ", kernel.changes.get(1));
  }

  @Test
  void theMessageNamesWhatWasTried() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 2, "/", "/own");
    Path own = kernel.group("own", "memory", "");
    Files.writeString(own.resolve("cgroup.procs"), "17\n");
    Files.writeString(kernel.top().resolve("cgroup.controllers"), "cpu pids\n");
    String message = refusal(root, kernel);
    assertTrue(message.contains(own + ": "), message);
    assertTrue(message.contains("Device or resource busy"), message);
    assertTrue(message.contains("no controller of memory there"), message);
    assertTrue(message.contains("systemd-run"), message);
    assertEquals(1, message.lines().count());
  }

  @Test
  void aProcessThatCannotEnterIsNoticed() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 1, "/", "/");
    Cgroups.Tree refusing =
        new Cgroups.Tree() {
          @Override
          void make(Path group) throws IOException {
            kernel.make(group);
            Files.delete(group.resolve("cgroup.procs"));
            Files.createDirectory(group.resolve("cgroup.procs"));
          }

          @Override
          void remove(Path group) throws IOException {
            kernel.remove(group);
          }
        };
    String message = refusal(root, refusing);
    assertTrue(message.contains("a process cannot be put into it"), message);
    assertTrue(isEmpty(kernel.top()));
  }

  @Test
  void theLeastLimitAboveCounts() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 2, "/", "/a/b");
    Path above = kernel.group("a", "memory", "memory");
    Path own = kernel.group("a/b", "memory", "memory");
    Files.writeString(own.resolve("memory.max"), "max\n");
    Cgroups groups = Cgroups.find(root, kernel);
    assertEquals(Long.MAX_VALUE, groups.leastLimitAbove());
    Files.writeString(above.resolve("memory.max"), "1000000\n");
    assertEquals(1_000_000, groups.leastLimitAbove());
  }

  @Test
  void aGroupThatIsBusyForAMomentGoes() throws IOException {
    FakeKernel kernel = new FakeKernel(root, 1, "/", "/");
    Cgroups.Group group = Cgroups.find(root, kernel).make(LIMIT);
    kernel.busy = 3;
    group.close();
    assertTrue(isEmpty(kernel.top()));
    group.close();
  }

  @Test
  void withoutAnyTreeThereIsOneClearMessage() throws IOException {
    Cgroups.Tree tree = new Cgroups.Tree();
    String absent = refusal(root, tree);
    assertTrue(absent.startsWith("limiting memory needs the control groups of Linux"), absent);
    Path self = Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(self.resolve("mountinfo"), "21 20 0:19 / / rw - ext4 /dev/vda rw\n");
    Files.writeString(self.resolve("cgroup"), "0::/\n");
    String unmounted = refusal(root, tree);
    assertTrue(unmounted.contains("none are mounted"), unmounted);
  }

  private static String refusal(Path root, Cgroups.Tree tree) {
    return String.valueOf(
        assertThrows(UsageException.class, () -> Cgroups.find(root, tree)).getMessage());
  }
}
