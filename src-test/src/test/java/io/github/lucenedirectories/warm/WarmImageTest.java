// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.warm;

import io.github.lucenedirectories.internal.file.PositionalFile.Resident;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** What is written is read again; whatever is damaged is refused, in bounded memory. */
public class WarmImageTest extends LibraryTestCase {

  private static final int UNIT = 1 << 14;
  private static final String FIRST_LINE = "warm-start 2";

  public void testRoundTrip() throws IOException {
    Path path = createTempDir().resolve("image");
    for (int round = 0; round < 20; round++) {
      Map<String, Resident> files = randomFiles(random().nextInt(30), random().nextInt(20_000));
      WarmImage.write(path, files);
      assertEquals(files, WarmImage.read(path));
    }
  }

  /** A few kilobytes for each gigabyte. */
  public void testSize() throws IOException {
    int units = (1 << 30) / UNIT;
    BitSet scattered = new BitSet();
    BitSet contiguous = new BitSet();
    for (int unit = 0; unit < units; unit++) {
      scattered.set(unit, random().nextInt(10) == 0);
      contiguous.set(unit, unit / 5_000 % 2 == 0);
    }
    assertTrue("bytes=" + size(scattered), size(scattered) < 8 << 10);
    assertTrue("bytes=" + size(contiguous), size(contiguous) < 500);
  }

  private static long size(BitSet units) throws IOException {
    Path path = createTempDir().resolve("image");
    WarmImage.write(path, Map.of("_0.doc", new Resident(UNIT, 1 << 30, 1, 0, units)));
    return Files.size(path);
  }

  public void testEveryLengthAndBit() throws IOException {
    Path path = createTempDir().resolve("image");
    Map<String, Resident> files = randomFiles(3, 200);
    WarmImage.write(path, files);
    byte[] whole = Files.readAllBytes(path);
    for (int length = 0; length < whole.length; length++) {
      Files.write(path, Arrays.copyOf(whole, length));
      expectThrows(IOException.class, () -> WarmImage.read(path));
    }
    for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Files.write(path, damaged);
      try {
        // Some bits of gzip mean nothing.
        assertEquals("bit=" + bit, files, WarmImage.read(path));
      } catch (IOException _) {
        // Refused.
      }
    }
  }

  /** A valid checksum over a text that no version writes. */
  public void testText() throws IOException {
    Path path = createTempDir().resolve("image");
    writeText(path, FIRST_LINE + "\n_0.doc " + UNIT + " 1 2 Aw==");
    Resident file = new Resident(UNIT, 1, 2, 0, BitSet.valueOf(new byte[] {3}));
    assertEquals(Map.of("_0.doc", file), WarmImage.read(path));
    for (String text :
        List.of(
            "",
            "\n",
            "warm-start 1 " + UNIT,
            FIRST_LINE + "\n\n",
            FIRST_LINE + "\n_0.doc",
            FIRST_LINE + "\n_0.doc 16384 1 2",
            FIRST_LINE + "\n_0.doc x 1 2 Aw==",
            FIRST_LINE + "\n_0.doc 16384 1 2 =Aw",
            FIRST_LINE + "\n_0.doc 16384 1 99999999999999999999 Aw==",
            FIRST_LINE + "\n_0.doc 16384 x 2 Aw==")) {
      writeText(path, text);
      expectThrows(IOException.class, () -> WarmImage.read(path));
    }
  }

  /** Lines are refused, of nothing or of a file each, that would take much more heap than text. */
  public void testManyLines() throws IOException {
    Path path = createTempDir().resolve("image");
    StringBuilder text = new StringBuilder(FIRST_LINE);
    for (int i = 0; i < 100_000; i++) {
      text.append("\n_").append(i).append(".doc 16384 1 2 ");
    }
    writeText(path, text.toString());
    expectThrows(IOException.class, () -> WarmImage.read(path));
  }

  /** What inflates to more than the longest image is refused before it fills the memory. */
  public void testBomb() throws IOException {
    Path path = createTempDir().resolve("image");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write((FIRST_LINE + "\n_0.doc 16384 1 2 ").getBytes(StandardCharsets.UTF_8));
      byte[] some = new byte[1 << 20];
      Arrays.fill(some, (byte) 'A');
      for (int i = 0; i < 100; i++) {
        out.write(some);
      }
    }
    expectThrows(IOException.class, () -> WarmImage.read(path));
  }

  private static void writeText(Path path, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Files.write(path, bytes.toByteArray());
  }

  private static Map<String, Resident> randomFiles(int count, int mostUnits) {
    Map<String, Resident> files = new HashMap<>();
    for (int i = 0; i < count; i++) {
      BitSet units = new BitSet();
      int end = random().nextInt(mostUnits + 1);
      for (int unit = 0; unit < end; unit++) {
        units.set(unit, random().nextInt(3) == 0);
      }
      files.put(
          "_" + Integer.toString(i, Character.MAX_RADIX) + ".tim",
          new Resident(UNIT, random().nextLong(), random().nextLong(), 0, units));
    }
    return files;
  }
}
