// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A mounted file system whose device is recorded. A state is an image of it. */
final class RecordedDisk extends Recording {

  private static final int BLOCK_BYTES = 1 << 12;

  /** Each header of a block of XFS is longer. */
  private static final int UUID_END = 56;

  private final Path scratch;
  private final Path base;
  private final String options;
  private final Path folder;
  private final String loop;

  /** The UUID of the file system if it is XFS. */
  private final String xfs;

  private RecordedDisk(Path scratch, Path base, String options)
      throws IOException, InterruptedException {
    super(scratch.resolve("log"), scratch.resolve("recording/mark"));
    this.scratch = scratch;
    this.base = base;
    this.options = options;
    try (InputStream input = Files.newInputStream(base)) {
      String superblock = new String(input.readNBytes(48), StandardCharsets.ISO_8859_1);
      xfs = superblock.startsWith("XFSB") ? superblock.substring(32) : "";
    }
    folder = Files.createDirectories(scratch.resolve("mounted"));
    loop = run("losetup", "-f", "--show", scratch.resolve("recording/disk.img")).strip();
    run("mount", "-o", options, loop, folder);
  }

  /**
   * Mounts a copy of an image.
   *
   * @param scratch has the program {@code rec}
   * @param options of the mount
   */
  static RecordedDisk of(Path scratch, Path base, String options)
      throws IOException, InterruptedException {
    Path copy = scratch.resolve("disk");
    run("rm", "-rf", copy);
    run("cp", "--sparse=always", base, copy);
    Path recording = Files.createDirectories(scratch.resolve("recording"));
    run(scratch.resolve("rec"), copy, scratch.resolve("log"), recording);
    return new RecordedDisk(scratch, base, options);
  }

  @Override
  Path folder() {
    return folder;
  }

  @Override
  void stop() throws IOException, InterruptedException {
    run("umount", folder);
    run("losetup", "-d", loop);
    closeMarks();
    run("fusermount3", "-u", scratch.resolve("recording"));
    readLog();
  }

  @Override
  void build(Path state, Kind kind, int moment, Random random)
      throws IOException, InterruptedException {
    run("cp", "--sparse=always", base, state);
    int flushed = moment;
    while (flushed > 0 && entries.get(flushed - 1).type() != Type.FLUSH) {
      flushed--;
    }
    try (RandomAccessFile file = new RandomAccessFile(state.toFile(), "rw")) {
      for (int i = 0; i < moment; i++) {
        Entry entry = entries.get(i);
        boolean waits = i >= flushed && kind != Kind.PREFIX;
        boolean lands = !waits || (kind != Kind.DROPPED && random.nextBoolean());
        if (entry.type() == Type.WRITE && lands) {
          boolean torn = waits && kind == Kind.TORN && random.nextBoolean();
          write(
              entry,
              torn,
              random,
              (offset, at, length) -> {
                file.seek(offset);
                file.write(log, at, length);
              });
        }
      }
    }
  }

  @Override
  Path open(Path state) throws IOException, InterruptedException {
    Path root = Files.createDirectories(scratch.resolve("state"));
    run("mount", "-o", "loop," + options, state, root);
    return root;
  }

  @Override
  void close(Path opened) throws IOException, InterruptedException {
    run("umount", opened);
  }

  /**
   * Whether this is a block of XFS's own trees and folders, which has its UUID in the header. The
   * recovery of XFS reads such a block first, and gives up if its checksum is wrong.
   */
  @Override
  boolean isNeverTorn(long offset, int at) {
    return offset % BLOCK_BYTES == 0
        && !xfs.isEmpty()
        && new String(log, at, UUID_END, StandardCharsets.ISO_8859_1).contains(xfs);
  }
}
