package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel is asked for, and what is taken off. */
public class ProcessIoCountersTest extends LibraryTestCase {

  public void testCountersOfTheKernel() throws IOException {
    Path facts = createTempFile();
    Files.writeString(facts, "rchar: 5\nread_bytes: 4096\nMemAvailable:   12 kB\nother: x\n");
    assertEquals(4_096, ProcFs.number(facts, "read_bytes:").orElseThrow());
    assertEquals(12, ProcFs.number(facts, "MemAvailable:").orElseThrow());
    assertTrue(ProcFs.number(facts, "write_bytes:").isEmpty());
    assertTrue(ProcFs.number(facts, "other:").isEmpty());
    assertTrue(ProcFs.number(facts.resolveSibling("none"), "read_bytes:").isEmpty());
  }

  public void testWhatIsInTheCacheIsAskedForOnly() throws IOException {
    assumeTrue("Linux tells", Files.isReadable(Path.of("/proc/self/io")));
    Path file = createTempFile();
    Files.write(file, new byte[1 << 24]);
    ProcessIoCounters before = ProcessIoCounters.now().orElseThrow();
    assertEquals(1 << 24, Files.readAllBytes(file).length);
    ProcessIoCounters since = ProcessIoCounters.now().orElseThrow().since(before);
    assertTrue(since.toString(), since.askedBytes() >= 1 << 24);
    assertTrue(since.toString(), since.deviceBytes() < 1 << 24);
  }
}
