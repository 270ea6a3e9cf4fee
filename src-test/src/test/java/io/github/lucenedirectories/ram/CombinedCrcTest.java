package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.zip.CRC32;

/** The CRC-32 of a whole from that of its parts. */
public class CombinedCrcTest extends LibraryTestCase {

  public void testRandomParts() {
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random().nextInt(100_000)];
      random().nextBytes(bytes);
      int cut = random().nextInt(bytes.length + 1);
      assertEquals(
          crc(bytes, 0, bytes.length),
          CombinedCrc.combine(
              crc(bytes, 0, cut), crc(bytes, cut, bytes.length - cut), bytes.length - cut));
    }
  }

  private static long crc(byte[] bytes, int offset, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, length);
    return crc.getValue();
  }
}
