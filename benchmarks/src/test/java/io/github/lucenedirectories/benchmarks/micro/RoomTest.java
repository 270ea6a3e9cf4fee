package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoomTest {
  private static final long TOO_MUCH = 1L << 60;

  @TempDir private Path folder;

  @Test
  void thereIsRoomForAByte() throws IOException {
    Room.checkDisk(folder, 1, "less");
    Room.checkMemory(1, "less");
  }

  @Test
  void refusesMoreThanThereIs() {
    UsageException disk =
        assertThrows(UsageException.class, () -> Room.checkDisk(folder, TOO_MUCH, "less"));
    assertMatches("not enough disk space in .*: .* TiB needed, .*B available; take less", disk);
    UsageException memory =
        assertThrows(UsageException.class, () -> Room.checkMemory(TOO_MUCH, "less"));
    assertMatches("not enough memory: .* TiB needed, .*B available; take less", memory);
  }

  private static void assertMatches(String pattern, UsageException refusal) {
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.matches(pattern), message);
  }
}
