// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.Unwrappable;

/** What {@code HybridDirectory} chooses, and says of it. */
public class HybridDirectoryTest extends LibraryTestCase {

  private static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final Class<?> MAPPED = SegmentIndexInput.class;
  private static final Class<?> POSITIONAL = BlockIndexInput.class;
  private static final long PLENTY = 1L << 40;
  private static final int FILE_BYTES = 100_000;

  private final byte[] bytes = randomBytes(FILE_BYTES);
  private final AtomicLong memory = new AtomicLong(PLENTY);

  /** Without the layers that Lucene's test framework puts around file systems. */
  private final Path folder = Unwrappable.unwrapAll(createTempDir());

  private static HybridDirectory open(LongSupplier memory, Path folder) throws IOException {
    return HybridDirectory.builder(folder).memoryBytes(memory).build();
  }

  private HybridDirectory open() throws IOException {
    return open(memory::get, folder);
  }

  private void requireRead(HybridDirectory directory, IOContext context, Class<?> way)
      throws IOException {
    try (IndexInput in = directory.openInput("_0.fdt", context)) {
      requireRead(in, way);
      assertArrayEquals(bytes, remaining(in));
    }
  }

  /** What queries use: clones and slices. */
  private void requireRead(IndexInput original, Class<?> way) throws IOException {
    for (InputView view : InputView.of(original, bytes, 7)) {
      if (view.toString().contains("context")) {
        // A file within a file goes by its own context.
        continue;
      }
      IndexInput in = view.in() == original ? original.clone() : view.in();
      assertSame(view.toString(), way, in.getClass());
      in.seek(0);
      assertArrayEquals(view.toString(), view.bytes(), remaining(in));
    }
  }

  private static void requireExplained(HybridDirectory directory, String... words)
      throws IOException {
    String why = directory.explain("_0.fdt");
    assertTrue(why, List.of(words).stream().allMatch(why::contains));
  }

  public void testWaysByMemory() throws IOException {
    try (HybridDirectory directory = open()) {
      write(directory, "_0.fdt", bytes);
      requireRead(directory, IOContext.DEFAULT, MAPPED);
      requireRead(directory, RANDOM, MAPPED);
      requireRead(directory, MERGE, MAPPED);
      requireRead(directory, IOContext.READONCE, POSITIONAL);
      requireExplained(directory, "fit");
    }
    memory.set(FILE_BYTES / 2);
    try (HybridDirectory directory = open()) {
      requireRead(directory, IOContext.DEFAULT, MAPPED);
      requireRead(directory, RANDOM, MAPPED);
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        boolean advised = TestMode.current().nativeAccess();
        requireExplained(directory, "_0.fdt: MAPPED" + (advised ? "_RANDOM: memory is" : ": no "));
        requireRead(directory, MERGE, POSITIONAL);
        assertEquals(bytes[0], in.readByte());
      }
    }
  }

  /** What the kernel was told of an open file changes with the memory. */
  public void testOpenFilesAreAdvisedAnew() throws Exception {
    assumeTrue("advice needs native calls", TestMode.current().nativeAccess());
    try (HybridDirectory directory = open()) {
      write(directory, "_0.fdt", bytes);
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        requireExplained(directory, "_0.fdt: MAPPED:");
        long before = PathCounter.NATIVE_ADVICE.count();
        // Not 0: Lucene's test framework puts small files of its own into some folders.
        memory.set(FILE_BYTES / 2);
        await(() -> PathCounter.NATIVE_ADVICE.count() != before);
        assertEquals("advised once", before + 1, PathCounter.NATIVE_ADVICE.count());
        requireExplained(directory, "_0.fdt: MAPPED_RANDOM");
        assertTrue(directory.toString(), directory.toString().contains("SCARCE"));
        in.readByte();
      }
    }
  }

  public void testOptionsDecide() throws IOException {
    for (AccessMode mode : AccessMode.values()) {
      try (HybridDirectory directory =
          HybridDirectory.builder(folder)
              .memoryBytes(() -> random().nextBoolean() ? 0 : PLENTY)
              .read("fdt", mode)
              .build()) {
        write(directory, "_0.fdt", bytes);
        Class<?> way = mode == AccessMode.POSITIONAL ? POSITIONAL : MAPPED;
        requireRead(directory, IOContext.DEFAULT, way);
        requireRead(directory, RANDOM, way);
        requireRead(directory, MERGE, way);
        long before = PathCounter.NATIVE_ADVICE.count();
        directory.openInput("_0.fdt", IOContext.DEFAULT).close();
        boolean advised = mode == AccessMode.MAPPED_RANDOM && TestMode.current().nativeAccess();
        assertEquals(mode.name(), advised ? 1 : 0, PathCounter.NATIVE_ADVICE.count() - before);
        requireExplained(directory, "not mapped; opened now, " + mode + ": option");
        directory.deleteFile("_0.fdt");
      }
    }
  }

  public void testExplainsFilesThatAreThere() throws IOException {
    try (HybridDirectory directory = open()) {
      expectThrows(NoSuchFileException.class, () -> directory.explain("_0.fdt"));
      write(directory, "_0.fdt", bytes);
      directory.rename("_0.fdt", "_1.fdt");
      assertTrue(directory.explain("_1.fdt").contains("not mapped"));
      directory.deleteFile("_1.fdt");
      expectThrows(NoSuchFileException.class, () -> directory.explain("_1.fdt"));
    }
  }

  /** Inputs that are read by positions do not count as mapped. */
  public void testExplainsOpenInputs() throws IOException {
    for (long bytes : new long[] {PLENTY, -1}) {
      boolean advised = bytes != PLENTY && TestMode.current().nativeAccess();
      String mode = (advised ? "MAPPED_RANDOM" : "MAPPED") + ":";
      memory.set(bytes);
      try (HybridDirectory directory = open()) {
        write(directory, "_0.fdt", this.bytes);
        List<IndexInput> inputs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          if (inputs.isEmpty() || random().nextBoolean()) {
            IOContext context = random().nextBoolean() ? MERGE : RANDOM;
            inputs.add(directory.openInput("_0.fdt", context));
          } else {
            inputs.remove(random().nextInt(inputs.size())).close();
          }
          boolean mapped = inputs.stream().anyMatch(MAPPED::isInstance);
          String how = mapped ? "_0.fdt: " : "_0.fdt: not mapped; opened now, ";
          requireExplained(directory, how + mode);
        }
        IOUtils.close(inputs);
        directory.deleteFile("_0.fdt");
      }
    }
  }
}
