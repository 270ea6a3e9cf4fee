// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Changes valid files and reads them. Jazzer calls the public methods. */
public final class FuzzTarget {

  /** Files of one kind. */
  interface Format {
    /** Makes valid ones in a folder. */
    void make(Path work) throws IOException;

    default boolean changes(String file) {
      return true;
    }

    /** Makes the checksums right. */
    default void correct(Map<String, byte[]> files) {}

    /**
     * Reads files. Throws an {@link AssertionError}, or what is not documented.
     *
     * @param choice any number
     */
    void check(Map<String, byte[]> files, int choice, Path work) throws Exception;
  }

  static final Map<String, Format> FORMATS =
      new TreeMap<>(
          Map.of(
              "journal", new JournalFormat(),
              "pools", new PoolFormat(),
              "images", new ImageFormat(),
              "uris", new UriFormat(),
              "index", new IndexFormat()));

  private static @Nullable FuzzTarget fuzzed;

  private final Format format;
  private final Path work;
  private final Map<String, byte[]> valid;
  private final List<String> names = new ArrayList<>();

  /** Where a file has bytes that are not zero: the others are many, and most are not read. */
  private final List<int[]> places = new ArrayList<>();

  /**
   * Makes valid files, or takes those that were kept, so that an input stays what it is.
   *
   * @param work all that is written; the files may have its path
   */
  FuzzTarget(String name, Path kept, Path work) throws IOException {
    format = Objects.requireNonNull(FORMATS.get(name));
    this.work = work;
    if (Files.notExists(kept)) {
      save(Map.of(), work);
      format.make(work);
      save(load(work), kept);
    }
    valid = load(kept);
    for (Map.Entry<String, byte[]> file : valid.entrySet()) {
      byte[] bytes = file.getValue();
      if (bytes.length > 0 && format.changes(file.getKey())) {
        names.add(file.getKey());
        places.add(IntStream.range(0, bytes.length).filter(i -> bytes[i] != 0).toArray());
      }
    }
  }

  /** The arguments are the name of a target, what is kept, the folder for work, and the corpus. */
  public static void fuzzerInitialize(String[] arguments) throws IOException {
    fuzzed = new FuzzTarget(arguments[0], Path.of(arguments[1]), Path.of(arguments[2]));
    for (int i = 0; i < fuzzed.names.size(); i++) {
      Files.write(Path.of(arguments[3], "seed" + i), cut(i));
    }
  }

  /** An input that cuts a file in its header. */
  static byte[] cut(int file) {
    return new byte[] {(byte) (2 * file), (byte) file, 0, 2, 0};
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Objects.requireNonNull(fuzzed).run(input);
  }

  /** Runs an input: a choice, odd if the checksums stay as they are, and changes. */
  void run(byte[] input) throws Exception {
    ByteBuffer in = ByteBuffer.wrap(input);
    int choice = in.hasRemaining() ? Byte.toUnsignedInt(in.get()) : 0;
    Map<String, byte[]> files = new TreeMap<>(valid);
    while (in.remaining() >= 4) {
      change(files, in);
    }
    if (choice % 2 == 0) {
      format.correct(files);
    }
    format.check(files, choice / 2, work);
  }

  /**
   * Makes a change: the number of a file, a place, and how many bytes follow, which are written
   * there. If it is 0 the file ends there; if negative, as many are copied from another place.
   */
  private void change(Map<String, byte[]> files, ByteBuffer in) {
    int file = Byte.toUnsignedInt(in.get()) % names.size();
    byte[] bytes = Objects.requireNonNull(files.get(names.get(file))).clone();
    int at = Math.min(place(file, in), bytes.length);
    int length = in.get();
    if (length == 0) {
      bytes = Arrays.copyOf(bytes, at);
    } else if (length > 0) {
      in.get(bytes, at, Math.min(length, Math.min(in.remaining(), bytes.length - at)));
    } else if (in.remaining() > 1) {
      int from = Math.min(place(file, in), bytes.length);
      length = Math.min(-length, bytes.length - Math.max(at, from));
      System.arraycopy(bytes, from, bytes, at, length);
    }
    files.put(names.get(file), bytes);
  }

  private int place(int file, ByteBuffer in) {
    int[] all = places.get(file);
    return all[Short.toUnsignedInt(in.getShort()) % all.length];
  }

  /** The files in a folder and those below. */
  static Map<String, byte[]> load(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (var all = Files.walk(folder)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  /** Puts files in place of what is in a folder. */
  static void save(Map<String, byte[]> files, Path folder) throws IOException {
    IOUtils.rm(folder);
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }
}
