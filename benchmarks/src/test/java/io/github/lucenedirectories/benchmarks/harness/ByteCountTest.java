package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteCountTest {
  @Test
  void suffixesArePowersOf1024() {
    assertEquals(512, ByteCount.parse("512"));
    assertEquals(65_536, ByteCount.parse("64k"));
    assertEquals(1400L << 20, ByteCount.parse("1400m"));
    assertEquals(2L << 30, ByteCount.parse("2G"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "0k", "-1", "1.5g", "12kb", "m", "999999999999g", "9999999999999"})
  void refusesWhatIsNoPositiveNumberOfBytes(String text) {
    Exception refusal = assertThrows(IllegalArgumentException.class, () -> ByteCount.parse(text));
    assertEquals(
        "not a number of bytes: '" + text + "' (write for example 65536, 64k, 1400m or 2g)",
        refusal.getMessage());
  }
}
