// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.warm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.github.lucenedirectories.internal.file.PositionalFile.Resident;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * The file that remembers what was in memory: text compressed by gzip, with its CRC-32. The first
 * line has the version, each other line name, length, checksum and units of a file.
 */
final class WarmImage {

  /** Bounds the text, and so the heap: enough for 2 TiB in units of 16 KiB. */
  private static final int MOST_BYTES = 1 << 25;

  /** Bounds the heap that names take, each in a line of few bytes. */
  private static final int MOST_LINES = 1 << 16;

  private static final int BUFFER_BYTES = 1 << 13;

  private static final String FIRST_LINE = "warm-start 2";

  private WarmImage() {}

  /** Writes an image; one at a time, since those of the same path share a temporary file. */
  static synchronized void write(Path path, Map<String, Resident> files) throws IOException {
    Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(temporary); // left by a crash, or a link
      try (OutputStream plain = Files.newOutputStream(temporary, CREATE_NEW, WRITE);
          OutputStream out = new GZIPOutputStream(plain)) {
        out.write(FIRST_LINE.getBytes(UTF_8));
        for (Map.Entry<String, Resident> file : files.entrySet()) {
          Resident now = file.getValue();
          String units = Base64.getEncoder().encodeToString(now.units().toByteArray());
          String line =
              String.format(
                  Locale.ROOT,
                  "\n%s %d %d %d %s",
                  file.getKey(),
                  now.unitBytes(),
                  now.length(),
                  now.checksum(),
                  units);
          out.write(line.getBytes(UTF_8));
        }
      }
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Reads an image.
   *
   * @throws IOException if there is none, it is damaged, or of another version
   */
  static Map<String, Resident> read(Path path) throws IOException {
    Map<String, Resident> files = new HashMap<>();
    try (InputStream file = Files.newInputStream(path);
        InputStream in = new GZIPInputStream(file, BUFFER_BYTES)) {
      byte[] text = in.readNBytes(MOST_BYTES);
      String[] lines = new String(text, UTF_8).split("\n", MOST_LINES);
      if (text.length == MOST_BYTES || !lines[0].equals(FIRST_LINE)) {
        throw new IOException("the image has another version: " + lines[0]);
      }
      for (int i = 1; i < lines.length; i++) {
        String[] fields = lines[i].split(" ", 5);
        BitSet units = BitSet.valueOf(Base64.getDecoder().decode(fields[4]));
        int unitBytes = Integer.parseInt(fields[1]);
        long length = Long.parseLong(fields[2]);
        long checksum = Long.parseLong(fields[3]);
        files.put(fields[0], new Resident(unitBytes, length, checksum, 0, units));
      }
    } catch (EOFException | ZipException | RuntimeException e) {
      throw new IOException("the image is damaged", e);
    }
    return files;
  }
}
