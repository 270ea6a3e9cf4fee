// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.ArrayUtil;

/**
 * A folder of which all calls are recorded, and afterwards what a power cut left of it. A state is
 * a folder with what POSIX promises: the bytes of a file are durable when the file was synced, and
 * its name when the folder was. Names of one folder that are not durable yet become so in their
 * order, as on all file systems with a journal.
 *
 * <p>The folder may hold nothing but the image of a file system. That is mounted for programs then,
 * and what is recorded are the writes and flushes of its device.
 */
final class RecordedFiles {

  /** Which of the changes a state has. */
  enum Kind {
    /** What is durable right after a flush. */
    FLUSHED,
    /** What is durable at a mark. */
    DROPPED,
    /** All before some moment. */
    PREFIX,
    /** Of those that are not durable yet, some. */
    SOME,
    /** The same, and of some writes only some sectors. */
    TORN
  }

  /** The name of an image. */
  static final String IMAGE = "disk.img";

  static final int SECTOR_BYTES = 512;
  private static final int BLOCK_BYTES = 1 << 12;

  /** Each header of a block of XFS is longer. */
  private static final int UUID_END = 56;

  /** As src-test/crash/files.c has it. */
  private enum Type {
    WRITE,
    SYNC,
    MARK,
    SIZE,
    NAME,
    FOLDER,
    MOVE,
    GONE,
    LOST
  }

  private static final List<Type> TYPES = List.of(Type.values());

  /** What the log has; the bytes of a write are there at {@code at}. */
  private record Entry(Type type, long file, long offset, int length, int at) {}

  /** A file's bytes, or the names in a folder with the numbers of what they name. */
  private static final class Node {
    final Map<String, Long> names = new TreeMap<>();
    final boolean isFolder;
    MemorySegment bytes = MemorySegment.ofArray(new byte[0]);
    long length;

    Node(boolean isFolder) {
      this.isFolder = isFolder;
    }

    void resize(long newLength) {
      if (newLength > bytes.byteSize()) {
        int size = ArrayUtil.oversize(Math.toIntExact(newLength), Byte.BYTES);
        bytes = MemorySegment.ofArray(new byte[size]).copyFrom(bytes);
      } else if (newLength < length) {
        bytes.asSlice(newLength, length - newLength).fill((byte) 0);
      }
      length = newLength;
    }
  }

  private final Path scratch;
  private final Path base;
  private final String options;
  private final Path shown;
  private final Path folder;
  private final OutputStream marks;

  /** The UUID of the file system if it is XFS. */
  private final String xfs;

  /** The numbers of the files that were there, by their paths in the folder. */
  private final Map<Path, Long> numbers = new TreeMap<>();

  private final long root;
  private byte[] log = {};
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, Node> nodes = new HashMap<>();

  /**
   * Begins with a copy of a folder, which is durable.
   *
   * @param scratch has the program {@code files}
   * @param options of the mount; empty if the folder has no image
   */
  RecordedFiles(Path scratch, Path base, String options) throws IOException, InterruptedException {
    this.scratch = scratch;
    this.base = base;
    this.options = options;
    Path copy = scratch.resolve("disk");
    run("rm", "-rf", copy);
    run("cp", "-r", "--sparse=always", base, copy);
    try (Stream<Path> all = Files.walk(copy)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        numbers.put(copy.relativize(each), number(each));
      }
    }
    root = number(copy);
    shown = Files.createDirectories(scratch.resolve("shown"));
    run(scratch.resolve("files"), copy, scratch.resolve("log"), shown);
    marks = new FileOutputStream(shown.resolve(".mark").toFile());
    folder = open(shown);
    xfs = hasImage() ? xfs(base.resolve(IMAGE)) : "";
  }

  private static String xfs(Path image) throws IOException {
    try (InputStream input = Files.newInputStream(image)) {
      String superblock = new String(input.readNBytes(48), ISO_8859_1);
      return superblock.startsWith("XFSB") ? superblock.substring(32) : "";
    }
  }

  private static long number(Path path) throws IOException {
    return (Long) Files.getAttribute(path, "unix:ino");
  }

  private boolean hasImage() {
    return !options.isEmpty();
  }

  /** Where programs are to write. */
  Path folder() {
    return folder;
  }

  /** Returns the folder that a state has for programs. */
  Path open(Path state) throws IOException, InterruptedException {
    if (!hasImage()) {
      return state;
    }
    Path mounted = Files.createDirectories(scratch.resolve("mounted"));
    run("mount", "-o", "loop," + options, state.resolve(IMAGE), mounted);
    return mounted;
  }

  /** Ends what {@link #open} began. */
  void close(Path opened) throws IOException, InterruptedException {
    if (hasImage()) {
      run("umount", opened);
    }
  }

  /** Ends the recording. */
  void stop() throws IOException, InterruptedException {
    close(folder);
    marks.close();
    run("fusermount3", "-u", shown);
    log = Files.readAllBytes(scratch.resolve("log"));
    ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      Type type = TYPES.get((int) buffer.getLong());
      long file = buffer.getLong();
      long offset = buffer.getLong();
      int length = (int) buffer.getLong();
      entries.add(new Entry(type, file, offset, length, buffer.position()));
      buffer.position(buffer.position() + length);
    }
  }

  /** Runs a command. */
  static void run(Object... words) throws IOException, InterruptedException {
    List<String> command = Stream.of(words).map(Object::toString).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    if (status > 128) {
      // Says nothing: a mount that a signal ends fails as if the file system's journal was broken.
      throw new CancellationException("ended by a signal: " + command);
    }
    if (status != 0) {
      throw new IOException("status=" + status + ", command=" + command + ": " + output);
    }
  }

  /** Notes in the log that the program has come to the next of its marks. */
  void mark() throws IOException {
    marks.write(1);
  }

  /** Lets operations in a folder fail, as src-test/crash/files.c says; empty for none. */
  static void fail(Path folder, String line) throws IOException {
    Files.writeString(
        folder.resolve(".fail"), line.isEmpty() ? "-" : line, StandardOpenOption.WRITE);
  }

  /** Which of the next operations fails, and how often. */
  static String failure(String operations, Random random) {
    char operation = operations.charAt(random.nextInt(operations.length()));
    // EIO, ENOSPC, EDQUOT, or half of a write.
    int error = List.of(5, 28, 122, 0).get(random.nextInt(operation == 'w' ? 4 : 3));
    int times = random.nextBoolean() ? 1 : random.nextInt(1, 20);
    return operation + " " + random.nextInt(40) + " " + error + " " + times;
  }

  /** A random moment, as the number of entries of the log before it. */
  int moment(Kind kind, Random random) {
    int[] ends =
        IntStream.range(0, entries.size())
            .filter(
                i ->
                    switch (entries.get(i).type) {
                      case SYNC -> kind == Kind.FLUSHED;
                      case MARK -> kind == Kind.DROPPED;
                      default -> kind != Kind.FLUSHED && kind != Kind.DROPPED;
                    })
            .toArray();
    return ends[random.nextInt(ends.length)] + 1;
  }

  /** How many marks came before a moment. */
  int marks(int moment) {
    return (int) entries.subList(0, moment).stream().filter(each -> each.type == Type.MARK).count();
  }

  /** Makes a state as a power cut at a moment could have left it. */
  void build(Path state, Kind kind, int moment, Random random)
      throws IOException, InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      start(state, arena);
      BitSet durable = new BitSet();
      // By file and folder.
      Map<Long, BitSet> waiting = new HashMap<>();
      for (int i = 0; i < moment; i++) {
        BitSet own = waiting.computeIfAbsent(entries.get(i).file, _ -> new BitSet());
        switch (entries.get(i).type) {
          case SYNC -> {
            durable.or(own);
            own.clear();
          }
          // A later sync does not bring it back.
          case LOST -> own.clear();
          default -> own.set(i);
        }
      }
      if (kind == Kind.PREFIX) {
        waiting.values().forEach(durable::or);
      }
      boolean some = kind == Kind.SOME || kind == Kind.TORN;
      Map<Long, Integer> named = new HashMap<>();
      for (int i = 0; i < moment; i++) {
        Entry entry = entries.get(i);
        int first = i;
        switch (entry.type) {
          case SYNC, MARK, LOST -> {}
          case WRITE, SIZE -> {
            boolean torn = kind == Kind.TORN && !durable.get(i) && random.nextBoolean();
            if (durable.get(i) || (some && random.nextBoolean())) {
              change(entry, torn, random);
            }
          }
          default -> {
            if (entry.type == Type.NAME || entry.type == Type.FOLDER) {
              // A number may be that of an earlier file.
              nodes.put(entry.offset, new Node(entry.type == Type.FOLDER));
            }
            // The names of a folder become durable in their order.
            if (durable.get(i)
                || (some
                    && i
                        < named.computeIfAbsent(
                            entry.file, _ -> random.nextInt(first, moment + 1)))) {
              rename(i);
            }
          }
        }
      }
      write(state, root);
      nodes.clear();
    }
  }

  /** What was there before. An image stays a file, since it is large. */
  private void start(Path state, Arena arena) throws IOException, InterruptedException {
    for (Map.Entry<Path, Long> each : numbers.entrySet()) {
      Path path = base.resolve(each.getKey());
      Node node = new Node(Files.isDirectory(path));
      nodes.put(each.getValue(), node);
      if (path.endsWith(IMAGE)) {
        Path image = Files.createDirectories(state).resolve(IMAGE);
        run("cp", "--sparse=always", path, image);
        try (FileChannel channel =
            FileChannel.open(image, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          node.length = channel.size();
          node.bytes = channel.map(MapMode.READ_WRITE, 0, node.length, arena);
        }
      } else if (!node.isFolder) {
        node.bytes = MemorySegment.ofArray(Files.readAllBytes(path));
        node.length = node.bytes.byteSize();
      }
      Path parent = each.getKey().getParent();
      if (each.getValue() != root) {
        names(parent == null ? root : numbers.get(parent))
            .put(path.getFileName().toString(), each.getValue());
      }
    }
  }

  private void rename(int index) {
    Entry entry = entries.get(index);
    if (entry.type != Type.GONE) {
      names(entry.file).put(name(entry), entry.offset);
      if (entry.type == Type.MOVE) {
        Entry source = entries.get(index + 1);
        names(source.file).remove(name(source));
      }
    } else if (index == 0 || entries.get(index - 1).type != Type.MOVE) {
      names(entry.file).remove(name(entry));
    }
  }

  private Map<String, Long> names(long number) {
    return node(number).names;
  }

  private Node node(long number) {
    Node node = nodes.get(number);
    if (node == null) {
      throw new AssertionError("the log has a file that was never made: " + number);
    }
    return node;
  }

  private String name(Entry entry) {
    return new String(log, entry.at, entry.length, UTF_8);
  }

  /** Makes a file longer or shorter, or writes to it: some sectors, if the write is torn. */
  private void change(Entry entry, boolean torn, Random random) {
    Node node = node(entry.file);
    if (entry.type == Type.SIZE) {
      node.resize(entry.offset);
      return;
    }
    IntPredicate lands = torn ? torn(entry.length, random) : _ -> true;
    for (int at = 0, length; at < entry.length; at += length) {
      long offset = entry.offset + at;
      boolean whole = !torn || isOfXfs(offset, entry.at + at);
      length = Math.min(whole ? BLOCK_BYTES : SECTOR_BYTES, entry.length - at);
      if (lands.test(at)) {
        node.resize(Math.max(node.length, offset + length));
        MemorySegment.copy(log, entry.at + at, node.bytes, JAVA_BYTE, offset, length);
      }
    }
  }

  /** Tells which sectors of a write of so many bytes are durable, by their places in it. */
  static IntPredicate torn(int length, Random random) {
    int first = random.nextInt(length / SECTOR_BYTES + 1) * SECTOR_BYTES;
    return switch (random.nextInt(3)) {
      case 0 -> at -> at < first;
      case 1 -> at -> at != first;
      default -> _ -> random.nextBoolean();
    };
  }

  /**
   * Whether this is a block of XFS's own trees and folders, which has its UUID in the header. It is
   * written as a whole: the recovery of XFS reads such a block first, and gives up if its checksum
   * is wrong.
   */
  private boolean isOfXfs(long offset, int at) {
    return offset % BLOCK_BYTES == 0
        && !xfs.isEmpty()
        && new String(log, at, UUID_END, ISO_8859_1).contains(xfs);
  }

  private void write(Path path, long number) throws IOException {
    Node node = node(number);
    if (node.isFolder) {
      Files.createDirectories(path);
      for (Map.Entry<String, Long> each : node.names.entrySet()) {
        write(path.resolve(each.getKey()), each.getValue());
      }
    } else if (!node.bytes.isMapped()) {
      Files.write(path, node.bytes.asSlice(0, node.length).toArray(JAVA_BYTE));
    }
  }
}
