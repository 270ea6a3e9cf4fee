package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.lucenedirectories.internal.os.NativeCalls;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParallelReadTest {
  private static final int PAGE_BYTES = 4096;
  private static final int[] LENGTHS = {
    1, PAGE_BYTES, (int) (2 * ParallelRead.PIECE_BYTES) + 5, 0, 100_000
  };

  @TempDir private Path folder;
  private final List<Path> files = new ArrayList<>();
  private NativeCalls calls;

  @BeforeEach
  void write() throws IOException {
    assumeTrue(NativeCalls.get().isPresent(), NativeCalls.whyAbsent());
    calls = NativeCalls.get().orElseThrow();
    SplittableRandom random = new SplittableRandom(Block.SEED);
    for (int length : LENGTHS) {
      byte[] contents = new byte[length];
      random.nextBytes(contents);
      files.add(Files.write(folder.resolve("file" + files.size()), contents));
    }
  }

  @Test
  void everyByteOfEveryFileIsInMemory() throws IOException {
    for (int threads = 1; threads <= 3; threads++) {
      ParallelRead read = new ParallelRead(calls.files(), files, threads);
      assertEquals(100_000 + 2 * ParallelRead.PIECE_BYTES + 5 + 4097, read.fileBytes());
      try (FreshMemory memory = new FreshMemory(calls, read.memoryBytes(), threads == 2)) {
        read.into(memory.segment());
        long start = 0;
        for (Path file : files) {
          MemorySegment contents = MemorySegment.ofArray(Files.readAllBytes(file));
          MemorySegment found = memory.segment().asSlice(start, contents.byteSize());
          assertEquals(-1, contents.mismatch(found), file.toString());
          start += (contents.byteSize() + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        }
        assertEquals(start, read.memoryBytes());
      }
    }
  }

  @Test
  void aFileThatBecameShorterIsNamed() throws IOException {
    ParallelRead read = new ParallelRead(calls.files(), files, 2);
    Files.write(files.getLast(), new byte[10]);
    try (FreshMemory memory = new FreshMemory(calls, read.memoryBytes(), false)) {
      IOException failure = assertThrows(IOException.class, () -> read.into(memory.segment()));
      assertTrue(failure.getCause() instanceof EOFException, failure.toString());
      assertTrue(failure.toString().contains(files.getLast().toString()), failure.toString());
    }
  }

  @Test
  void freshMemoryIsZeroAndHugeOnlyIfAskedFor() throws IOException {
    Path mode = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    assumeTrue(Files.exists(mode) && Files.readString(mode).contains("[madvise]"));
    long bytes = 8 * FreshMemory.HUGE_PAGE_BYTES;
    long before = AnonymousHugePages.bytes();
    try (FreshMemory memory = new FreshMemory(calls, bytes, true)) {
      assertEquals(0, memory.segment().address() % FreshMemory.HUGE_PAGE_BYTES);
      touch(memory);
      assertTrue(AnonymousHugePages.bytes() - before >= bytes / 2, "no huge pages");
    }
    try (FreshMemory memory = new FreshMemory(calls, bytes, false)) {
      touch(memory);
      assertEquals(before, AnonymousHugePages.bytes(), "those given back must not count");
    }
  }

  private static void touch(FreshMemory memory) {
    for (long i = 0; i < memory.segment().byteSize(); i += PAGE_BYTES) {
      assertEquals(0, memory.segment().get(ValueLayout.JAVA_BYTE, i), "fresh at " + i);
      memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) 1);
    }
  }
}
