// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The image of a warm start, and what becomes of it before it is used. */
record WarmImages(Path file, Kind kind) {

  enum Kind {
    SAVED("warm start"),
    /** The files have other bytes now, under the same names. */
    STALE("stale image"),
    TRUNCATED("truncated image"),
    /** The files have other names. */
    FOREIGN("foreign image"),
    RANDOM("random image");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  void spoil() throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("no image was saved: the system does not tell what is in memory");
    }
    byte[] bytes = Files.readAllBytes(file);
    switch (kind) {
      case SAVED -> {}
      case STALE -> rewrite(bytes, "(?m)^(\\S+ \\d+) -?\\d+ ", "$1 0 ");
      case TRUNCATED -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case FOREIGN -> rewrite(bytes, "(?m)^(\\S+ \\d+ -?\\d+ )", "_foreign$1");
      case RANDOM -> {
        new Random(bytes.length).nextBytes(bytes);
        Files.write(file, bytes);
      }
    }
  }

  /** Changes the lines of the files: name, length, checksum, what was in memory. */
  private void rewrite(byte[] image, String pattern, String replacement) throws IOException {
    byte[] text = new GZIPInputStream(new ByteArrayInputStream(image)).readAllBytes();
    String before = new String(text, StandardCharsets.UTF_8);
    String after = before.replaceAll(pattern, replacement);
    if (after.equals(before)) {
      throw new IllegalStateException("an image in another format: " + before.lines().findFirst());
    }
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(changed)) {
      out.write(after.getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file, changed.toByteArray());
  }
}
