// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.util.ArrayUtil;

/**
 * A folder of which all calls are recorded. A state is a folder with what POSIX promises: the bytes
 * of a file are durable when the file was synced, and its name when the folder was. Names of one
 * folder that are not durable yet become so in their order, as on all file systems with a journal.
 */
final class RecordedFiles extends Recording {

  /** A file's bytes, or the names in a folder with the numbers of what they name. */
  private static final class Node {
    final Map<String, Long> names = new TreeMap<>();
    final boolean isFolder;
    byte[] bytes = {};
    int length;

    Node(boolean isFolder) {
      this.isFolder = isFolder;
    }

    void resize(long newLength) {
      int size = Math.toIntExact(newLength);
      bytes = ArrayUtil.grow(bytes, size);
      if (size < length) {
        Arrays.fill(bytes, size, length, (byte) 0);
      }
      length = size;
    }
  }

  private final Path base;
  private final Path folder;
  private final Map<Long, Node> nodes = new HashMap<>();

  /** The numbers of the files that were there, by their paths in the folder. */
  private final Map<Path, Long> numbers = new TreeMap<>();

  private final long root;

  private RecordedFiles(Path scratch, Path base, Path copy) throws IOException {
    super(scratch.resolve("log"), scratch.resolve("mounted/.mark"));
    this.base = base;
    folder = scratch.resolve("mounted");
    try (Stream<Path> all = Files.walk(copy)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        numbers.put(copy.relativize(each), number(each));
      }
    }
    root = number(copy);
  }

  /**
   * Begins with a copy of a folder, which is durable.
   *
   * @param scratch has the program {@code files}
   */
  static RecordedFiles of(Path scratch, Path base) throws IOException, InterruptedException {
    Path copy = scratch.resolve("disk");
    run("rm", "-rf", copy);
    run("cp", "-r", base, copy);
    Path mounted = Files.createDirectories(scratch.resolve("mounted"));
    run(scratch.resolve("files"), copy, scratch.resolve("log"), mounted);
    return new RecordedFiles(scratch, base, copy);
  }

  private static long number(Path path) throws IOException {
    return (Long) Files.getAttribute(path, "unix:ino");
  }

  @Override
  Path folder() {
    return folder;
  }

  @Override
  void fail(String line) throws IOException {
    fail(folder, line);
  }

  /** Lets operations in a folder fail, as src-test/crash/files.c says; empty for none. */
  static void fail(Path mounted, String line) throws IOException {
    Files.writeString(
        mounted.resolve(".fail"), line.isEmpty() ? "-" : line, StandardOpenOption.WRITE);
  }

  /** Which of the next operations fails, and how often. */
  static String failure(String operations, Random random) {
    char operation = operations.charAt(random.nextInt(operations.length()));
    // EIO, ENOSPC, EDQUOT, or half of a write.
    int error = List.of(5, 28, 122, 0).get(random.nextInt(operation == 'w' ? 4 : 3));
    int times = random.nextBoolean() ? 1 : random.nextInt(1, 20);
    return operation + " " + random.nextInt(40) + " " + error + " " + times;
  }

  @Override
  void stop() throws IOException, InterruptedException {
    closeMarks();
    run("fusermount3", "-u", folder);
    readLog();
  }

  @Override
  void build(Path state, Kind kind, int moment, Random random) throws IOException {
    start();
    // By file and folder: how many entries of the log are durable for it.
    Map<Long, Integer> durable = new HashMap<>();
    Map<Long, Integer> begun = new HashMap<>();
    BitSet lost = new BitSet();
    for (int i = 0; i < moment; i++) {
      Entry entry = entries.get(i);
      if (entry.type() == Type.FLUSH) {
        durable.put(entry.file(), i);
        begun.put(entry.file(), i);
      } else if (entry.type() == Type.LOST) {
        for (int j = begun.getOrDefault(entry.file(), 0); j < i; j++) {
          if (entries.get(j).file() == entry.file()) {
            lost.set(j);
          }
        }
        begun.put(entry.file(), i);
      }
    }
    Map<Long, Integer> named = new HashMap<>();
    for (int i = 0; i < moment; i++) {
      Entry entry = entries.get(i);
      int until = kind == Kind.PREFIX ? moment : durable.getOrDefault(entry.file(), 0);
      boolean some = kind == Kind.SOME || kind == Kind.TORN;
      boolean waits = i >= until || lost.get(i);
      if (entry.type() == Type.NAME || entry.type() == Type.FOLDER) {
        // A number may be that of an earlier file.
        nodes.put(entry.offset(), new Node(entry.type() == Type.FOLDER));
      }
      boolean lands =
          switch (entry.type()) {
            case WRITE, SIZE -> !waits || (some && random.nextBoolean());
            case FLUSH, MARK, LOST -> false;
            // The names of a folder become durable in their order.
            default ->
                i
                    < named.computeIfAbsent(
                        entry.file(), _ -> some ? random.nextInt(until, moment + 1) : until);
          };
      if (lands) {
        boolean torn = waits && kind == Kind.TORN && random.nextBoolean();
        apply(i, torn, random);
      }
    }
    write(state, root);
  }

  private void apply(int index, boolean torn, Random random) throws IOException {
    Entry entry = entries.get(index);
    switch (entry.type()) {
      case SIZE -> node(entry.file()).resize(entry.offset());
      case WRITE -> change(entry, torn, random);
      case NAME, FOLDER -> names(entry.file()).put(name(entry), entry.offset());
      case MOVE -> {
        Entry source = entries.get(index + 1);
        names(entry.file()).put(name(entry), entry.offset());
        names(source.file()).remove(name(source));
      }
      case GONE -> {
        if (index == 0 || entries.get(index - 1).type() != Type.MOVE) {
          names(entry.file()).remove(name(entry));
        }
      }
      case FLUSH, MARK, LOST -> {}
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
    return new String(log, entry.at(), entry.length(), StandardCharsets.UTF_8);
  }

  /** What was there before. */
  private void start() throws IOException {
    nodes.clear();
    for (Map.Entry<Path, Long> each : numbers.entrySet()) {
      Path path = base.resolve(each.getKey());
      Node node = new Node(Files.isDirectory(path));
      if (!node.isFolder) {
        node.bytes = Files.readAllBytes(path);
        node.length = node.bytes.length;
      }
      nodes.put(each.getValue(), node);
      Path parent = each.getKey().getParent();
      if (each.getValue() != root) {
        names(parent == null ? root : numbers.get(parent))
            .put(path.getFileName().toString(), each.getValue());
      }
    }
  }

  private void change(Entry entry, boolean torn, Random random) throws IOException {
    Node node = node(entry.file());
    write(
        entry,
        torn,
        random,
        (offset, at, length) -> {
          if (offset + length > node.length) {
            node.resize(offset + length);
          }
          System.arraycopy(log, at, node.bytes, (int) offset, length);
        });
  }

  private void write(Path path, long number) throws IOException {
    Node node = node(number);
    if (!node.isFolder) {
      Files.write(path, Arrays.copyOf(node.bytes, node.length));
      return;
    }
    Files.createDirectories(path);
    for (Map.Entry<String, Long> each : node.names.entrySet()) {
      write(path.resolve(each.getKey()), each.getValue());
    }
  }

  @Override
  Path open(Path state) {
    return state;
  }

  @Override
  void close(Path opened) {}
}
