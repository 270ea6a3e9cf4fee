// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A mounted file system whose writes and flushes are recorded, and afterwards what a power cut
 * could have left of it.
 */
final class RecordedDisk {

  /** Which of the writes a state has. */
  enum Kind {
    /** All before a flush. */
    FLUSHED,
    /** None between the last flush and a mark. */
    DROPPED,
    /** All before some moment. */
    PREFIX,
    /** Of those since the last flush, some. */
    SOME,
    /** The same, and of some writes only some sectors. */
    TORN
  }

  private static final int SECTOR_BYTES = 512;
  private static final int BLOCK_BYTES = 1 << 12;

  /** Each header of a block of XFS is longer. */
  private static final int UUID_END = 56;

  private static final int WRITE = 0;
  private static final int FLUSH = 1;
  private static final int MARK = 2;

  /** What the log has; the bytes of a write are there at {@code at}. */
  private record Entry(int type, long offset, int length, int at) {}

  private final Path base;
  private final Path folder;
  private final Path recording;
  private final Path logFile;
  private final String loop;
  private final OutputStream marks;

  /** The UUID of the file system if it is XFS. */
  private final String xfs;

  private byte[] log = {};
  private final List<Entry> entries = new ArrayList<>();

  /**
   * Mounts a copy of an image.
   *
   * @param scratch has the program {@code rec}
   * @param options of the mount
   */
  RecordedDisk(Path scratch, Path base, String options) throws IOException, InterruptedException {
    this.base = base;
    try (InputStream input = Files.newInputStream(base)) {
      String superblock = new String(input.readNBytes(48), StandardCharsets.ISO_8859_1);
      xfs = superblock.startsWith("XFSB") ? superblock.substring(32) : "";
    }
    folder = Files.createDirectories(scratch.resolve("mounted"));
    recording = Files.createDirectories(scratch.resolve("recording"));
    logFile = scratch.resolve("log");
    Path copy = scratch.resolve("disk");
    run("cp", "--sparse=always", base, copy);
    run(scratch.resolve("rec"), copy, logFile, recording);
    marks = new FileOutputStream(recording.resolve("mark").toFile());
    loop = run("losetup", "-f", "--show", recording.resolve("disk.img")).strip();
    run("mount", "-o", options, loop, folder);
  }

  /** Runs a command and returns its output. */
  static String run(Object... words) throws IOException, InterruptedException {
    List<String> command = Stream.of(words).map(Object::toString).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status > 128) {
      // Says nothing: a mount that a signal ends fails as if the file system's journal was broken.
      throw new CancellationException("ended by a signal: " + command);
    }
    if (status != 0) {
      throw new IOException("status=" + status + ", command=" + command + ": " + output);
    }
    return output;
  }

  /** Where it is mounted. */
  Path folder() {
    return folder;
  }

  /** Notes in the log that the program has come to the next of its marks. */
  void mark() throws IOException {
    marks.write(1);
  }

  /** Unmounts it, and reads the log, which is complete then. */
  void unmount() throws IOException, InterruptedException {
    run("umount", folder);
    run("losetup", "-d", loop);
    marks.close();
    run("fusermount3", "-u", recording);
    log = Files.readAllBytes(logFile);
    ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      int type = (int) buffer.getLong();
      long offset = buffer.getLong();
      int length = (int) buffer.getLong();
      entries.add(new Entry(type, offset, length, buffer.position()));
      buffer.position(buffer.position() + length);
    }
  }

  /** A random moment, as the number of entries of the log before it. */
  int moment(Kind kind, Random random) {
    int type = kind == Kind.FLUSHED ? FLUSH : kind == Kind.DROPPED ? MARK : WRITE;
    int[] ends =
        IntStream.range(0, entries.size()).filter(i -> entries.get(i).type == type).toArray();
    return ends[random.nextInt(ends.length)] + 1;
  }

  /** How many marks came before a moment. */
  int marks(int moment) {
    return (int) entries.subList(0, moment).stream().filter(each -> each.type == MARK).count();
  }

  /** Makes an image of what a power cut at a moment could have left. */
  void build(Path image, Kind kind, int moment, Random random)
      throws IOException, InterruptedException {
    run("cp", "--sparse=always", base, image);
    int flushed = moment;
    while (flushed > 0 && entries.get(flushed - 1).type != FLUSH) {
      flushed--;
    }
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      for (int i = 0; i < moment; i++) {
        Entry entry = entries.get(i);
        boolean waits = i >= flushed && kind != Kind.PREFIX;
        boolean lands = !waits || (kind != Kind.DROPPED && random.nextBoolean());
        if (entry.type == WRITE && lands) {
          boolean torn = waits && kind == Kind.TORN && random.nextBoolean();
          write(file, entry, torn ? random.nextInt(3) : -1, random);
        }
      }
    }
  }

  private void write(RandomAccessFile file, Entry entry, int way, Random random)
      throws IOException {
    int first = random.nextInt(entry.length / SECTOR_BYTES + 1) * SECTOR_BYTES;
    for (int at = 0, length; at < entry.length; at += length) {
      boolean lands =
          switch (way) {
            case 0 -> at < first;
            case 1 -> at != first;
            case 2 -> random.nextBoolean();
            default -> true;
          };
      boolean whole = way < 0 || isNeverTorn(entry.offset + at, entry.at + at);
      length = Math.min(whole ? BLOCK_BYTES : SECTOR_BYTES, entry.length - at);
      if (lands) {
        file.seek(entry.offset + at);
        file.write(log, entry.at + at, length);
      }
    }
  }

  /**
   * Whether this is a block of XFS's own trees and folders, which has its UUID in the header. The
   * recovery of XFS reads such a block first, and gives up if its checksum is wrong.
   */
  private boolean isNeverTorn(long offset, int at) {
    return offset % BLOCK_BYTES == 0
        && !xfs.isEmpty()
        && new String(log, at, UUID_END, StandardCharsets.ISO_8859_1).contains(xfs);
  }
}
