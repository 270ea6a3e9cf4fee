// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The setting of a device, on a tree of files as the system has it. */
class DeviceReadAheadTest {
  @TempDir private Path root;

  private Path setting = Path.of("");

  /** A disk, and the number of this folder's device as a link to it. */
  @BeforeEach
  void disk() throws IOException {
    Path queue = Files.createDirectories(root.resolve("sys/devices/pci/block/vda/queue"));
    setting = Files.writeString(queue.resolve("read_ahead_kb"), "8192\n");
    Files.createDirectories(root.resolve("sys/dev/block"));
    link(queue.resolveSibling(""));
  }

  private void link(Path device) throws IOException {
    Path link = root.resolve("sys/dev/block").resolve(DeviceReadAhead.numbers(root));
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, device);
  }

  private DeviceReadAhead readAhead(String wanted) {
    DeviceReadAhead readAhead = new DeviceReadAhead();
    readAhead.devices = root.resolve("sys/dev/block");
    readAhead.wanted = wanted;
    return readAhead;
  }

  private DeviceReadAhead set(Workspace workspace, String wanted) throws IOException {
    DeviceReadAhead readAhead = readAhead(wanted);
    readAhead.check();
    readAhead.set(workspace, root);
    return readAhead;
  }

  private String setting() throws IOException {
    return Files.readString(setting).strip();
  }

  @Test
  void isSetForTheRunAndRestored() throws IOException {
    try (Workspace workspace = Workspace.create()) {
      DeviceReadAhead readAhead = set(workspace, "128");
      assertEquals("128", setting());
      assertEquals("128 KiB at most", readAhead.inForce());
      assertEquals(List.of(), readAhead.hints());
    }
    assertEquals("8192", setting());
  }

  @Test
  void isRestoredThoughOtherThingsCannotBeClosed() throws IOException {
    Workspace workspace = Workspace.create();
    for (int i = 0; i < 20; i++) {
      workspace.alsoClose(
          () -> {
            throw new IOException("busy");
          });
    }
    set(workspace, "128");
    assertThrows(IOException.class, workspace::close);
    assertEquals("8192", setting());
    assertTrue(Files.notExists(workspace.file("")), "nor is its folder left");
  }

  /** Ctrl-C may close the workspace first. */
  @Test
  void isNotSetOnceItIsClosed() throws IOException {
    try (Workspace workspace = Workspace.create()) {
      DeviceReadAhead readAhead = readAhead("128");
      readAhead.close();
      readAhead.set(workspace, root);
      assertEquals("8192", setting());
    }
  }

  @Test
  void aPartitionHasThatOfItsDisk() throws IOException {
    link(Files.createDirectory(setting.resolveSibling("../vda1").normalize()));
    try (Workspace workspace = Workspace.create()) {
      set(workspace, "64");
      assertEquals("64", setting());
    }
    assertEquals("8192", setting());
  }

  /** What a user ends by a signal restores it as well. */
  @Test
  void isRestoredByASignal() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Signalled.class.getName(),
                root.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals("set", process.inputReader().readLine());
    assertEquals("128", setting());
    process.destroy();
    process.onExit().join();
    assertEquals("8192", setting());
  }

  /** Sets the read-ahead and waits for a signal. */
  static final class Signalled {
    public static void main(String[] args) throws IOException, InterruptedException {
      Path root = Path.of(args[0]);
      DeviceReadAhead readAhead = new DeviceReadAhead();
      readAhead.devices = root.resolve("sys/dev/block");
      readAhead.set(Workspace.create(), root);
      System.out.println("set");
      new CountDownLatch(1).await();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep", "8192"})
  void isLeftAsItIs(String wanted) throws IOException {
    try (Workspace workspace = Workspace.create()) {
      assertEquals("8192 KiB at most", set(workspace, wanted).inForce());
      Files.writeString(setting, "77");
    }
    assertEquals("77", setting(), "what was not changed is not restored");
  }

  @Test
  void aHintSaysWhatIsInForceWhereItCannotBeSet() throws IOException {
    // Linux lets nobody write this one, not even root.
    Path other = Path.of("/proc/sys/kernel/ngroups_max");
    Files.delete(setting);
    Files.createSymbolicLink(setting, other);
    refused(Files.readString(other).strip() + " KiB at most");
    link(Files.createDirectories(root.resolve("sys/devices/virtual/none")));
    refused("an unknown amount");
  }

  private void refused(String inForce) throws IOException {
    try (Workspace workspace = Workspace.create()) {
      DeviceReadAhead readAhead = set(workspace, "128");
      String expected = inForce + ", since it cannot be set to 128 KiB here";
      assertEquals(expected, readAhead.inForce());
      assertEquals(List.of("The device reads ahead " + expected + "."), readAhead.hints());
    }
  }

  @Test
  void readsAreThoseOfTheDevice() throws IOException {
    Files.writeString(setting.resolve("../../stat").normalize(), "   6921  17 88 9\n");
    assertEquals(6921, readAhead("keep").number(root, "stat"));
    assertNull(readAhead("keep").number(root.resolve("none"), "stat"));
  }
}
