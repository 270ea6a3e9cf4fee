package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.SystemCallTrace;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.apache.lucene.util.Constants;
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
      requireRead(directory, MERGE, POSITIONAL);
      requireRead(directory, IOContext.DEFAULT, MAPPED);
      requireRead(directory, RANDOM, MAPPED);
      try (IndexInput in = directory.openInput("_0.fdt", RANDOM)) {
        requireExplained(directory, "MAPPED_RANDOM", "scarce");
        try (IndexInput merged = directory.openInput("_0.fdt", MERGE)) {
          requireExplained(directory, "POSITIONAL", "merge");
          assertEquals(in.readByte(), merged.readByte());
        }
        requireExplained(directory, "MAPPED_RANDOM");
      }
    }
  }

  /** Within a compound file each file goes by its own kind. */
  public void testFilesInCompoundFiles() throws IOException {
    memory.set(FILE_BYTES / 2);
    try (HybridDirectory directory = open()) {
      write(directory, "_0.cfs", bytes);
      try (IndexInput in = directory.openInput("_0.cfs", IOContext.DEFAULT)) {
        for (String name : List.of("_0.fdt", "_0.doc", "_0.vec")) {
          IndexInput searched = in.slice(name, 10, 1_000, IOContext.DEFAULT);
          assertSame(MAPPED, searched.clone().getClass());
          IndexInput merged = in.slice(name, 10, 1_000, MERGE);
          assertSame(name.equals("_0.fdt") ? POSITIONAL : MAPPED, merged.clone().getClass());
          assertEquals(bytes[10], merged.clone().readByte());
        }
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

  /** A file that stays open is read in the other way by the next query, there and back. */
  public void testOpenFilesChangeTheirWay() throws Exception {
    assumeFalse("files have no keys", Constants.WINDOWS);
    for (Class<?> first : List.of(MAPPED, POSITIONAL)) {
      setMemory(first);
      IndexInput original;
      IndexInput last;
      try (HybridDirectory directory = open()) {
        write(directory, "_0.doc", bytes);
        original = directory.openInput("_0.doc", IOContext.DEFAULT);
        try (original;
            IndexInput file = original.slice("file in it", 0, FILE_BYTES, IOContext.DEFAULT)) {
          original.seek(10);
          IndexInput old = original.clone();
          for (Class<?> way : List.of(first, first == MAPPED ? POSITIONAL : MAPPED, first)) {
            setMemory(way);
            await(() -> original.clone().getClass() == way);
            requireRead(original, way);
            requireRead(file, way);
            assertEquals(10, original.clone().getFilePointer());
            assertEquals(10, original.getFilePointer());
          }
          assertSame("a query ends as it began", first, old.clone().getClass());
          assertEquals(bytes[10], old.readByte());
          assertEquals(bytes[10], original.readByte());
          last = original.clone();
        }
        expectThrows(AlreadyClosedException.class, () -> original.clone().readByte());
        expectThrows(AlreadyClosedException.class, () -> original.slice("slice", 0, 1));
        directory.deleteFile("_0.doc");
      }
      expectThrows(AlreadyClosedException.class, last::readByte);
    }
  }

  private void setMemory(Class<?> way) {
    memory.set(way == POSITIONAL ? FILE_BYTES / 10 : PLENTY);
  }

  /** Listing all descriptors of a process with thousands would take each query milliseconds. */
  public void testChangesListNoDescriptors() throws Exception {
    assumeTrue("as without native access", TestMode.current() == TestMode.SCALAR);
    assumeTrue("no strace here", SystemCallTrace.works(folder, "what a change of access costs"));
    List<String> calls =
        SystemCallTrace.of(folder, JavaCommand.of(List.of(), Program.class, folder.toString()));
    assertTrue(calls.stream().anyMatch(call -> call.contains("/19.doc")));
    assertTrue(calls.stream().noneMatch(call -> call.contains("/proc/self/fd")));
  }

  /** Changes how open files are read. Argument: a folder. */
  public static final class Program {
    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
      AtomicLong memory = new AtomicLong(PLENTY);
      try (HybridDirectory directory = open(memory::get, Path.of(args[0]))) {
        for (int i = 18; i < 20; i++) {
          write(directory, i + ".doc", new byte[FILE_BYTES]);
          try (IndexInput in = directory.openInput(i + ".doc", IOContext.DEFAULT)) {
            memory.set(i % 2 == 0 ? FILE_BYTES / 10 : PLENTY);
            await(() -> (in.clone() instanceof BlockIndexInput) == (memory.get() < PLENTY));
          }
        }
      }
    }
  }

  /** Another file may have the name by then, or the file another length. */
  public void testChangesItsWayToTheSameFileOnly() throws Exception {
    for (String change : List.of("deleted", "replaced", "longer")) {
      memory.set(PLENTY);
      try (HybridDirectory directory = open(memory::get, Unwrappable.unwrapAll(createTempDir()))) {
        write(directory, "_0.doc", bytes);
        // It tells when the directory has seen the change.
        write(directory, "_1.doc", bytes);
        try (IndexInput original = directory.openInput("_0.doc", IOContext.DEFAULT);
            IndexInput witness = directory.openInput("_1.doc", IOContext.DEFAULT)) {
          if (change.equals("longer")) {
            Path file = directory.getDirectory().resolve("_0.doc");
            Files.write(file, new byte[1], StandardOpenOption.APPEND);
          } else {
            directory.deleteFile("_0.doc");
          }
          if (change.equals("replaced")) {
            write(directory, "_0.doc", randomBytes(FILE_BYTES));
          }
          memory.set(FILE_BYTES / 10);
          await(() -> witness.clone() instanceof BlockIndexInput);
          requireRead(original, MAPPED);
          requireRead(witness, POSITIONAL);
        }
      }
    }
  }

  /** Nothing would close what a clone or a slice opens of a closed input. */
  public void testClosedInputOpensNothing() throws IOException {
    AtomicBoolean byPositions = new AtomicBoolean();
    AtomicInteger opened = new AtomicInteger();
    try (MappedDirectory mapped = new MappedDirectory(folder)) {
      write(mapped, "file", new byte[10]);
      HybridIndexInput in =
          HybridIndexInput.open(
              FileIdentity.of(folder.resolve("file")),
              FileKind.OTHER,
              IOContext.DEFAULT,
              false,
              (_, _) -> byPositions.get(),
              _ -> {
                opened.incrementAndGet();
                return mapped.openInput("file", IOContext.DEFAULT);
              },
              () -> {});
      assertEquals(0, in.clone().readByte());
      in.close();
      byPositions.set(true);
      expectThrows(AlreadyClosedException.class, () -> in.clone().readByte());
      expectThrows(AlreadyClosedException.class, () -> in.slice("slice", 0, 1).readByte());
      assertEquals(1, opened.get());
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
        directory.openInput("_0.fdt", IOContext.DEFAULT).close();
        requireExplained(directory, "not open; " + mode + ": option");
        directory.deleteFile("_0.fdt");
      }
    }
  }

  public void testExplainsFilesThatAreThere() throws IOException {
    try (HybridDirectory directory = open()) {
      expectThrows(NoSuchFileException.class, () -> directory.explain("_0.fdt"));
      write(directory, "_0.fdt", bytes);
      assertTrue(directory.explain("_0.fdt").contains("not open"));
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        assertFalse(directory.explain("_0.fdt").contains("not open"));
        assertEquals(FILE_BYTES, in.length());
      }
      assertTrue(directory.explain("_0.fdt").contains("not open"));
      directory.rename("_0.fdt", "_1.fdt");
      assertTrue(directory.explain("_1.fdt").contains("not open"));
      directory.deleteFile("_1.fdt");
      expectThrows(NoSuchFileException.class, () -> directory.explain("_1.fdt"));
    }
  }

  /** The input that was opened last counts, of those that are still open. */
  public void testExplainsOpenInputs() throws IOException {
    memory.set(FILE_BYTES / 2);
    try (HybridDirectory directory = open()) {
      write(directory, "_0.fdt", bytes);
      List<IndexInput> inputs = new ArrayList<>();
      List<IOContext> contexts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        if (inputs.isEmpty() || random().nextBoolean()) {
          IOContext context = random().nextBoolean() ? MERGE : RANDOM;
          inputs.add(directory.openInput("_0.fdt", context));
          contexts.add(context);
        } else {
          int closed = random().nextInt(inputs.size());
          inputs.remove(closed).close();
          contexts.remove(closed);
        }
        requireExplained(
            directory,
            contexts.isEmpty()
                ? "not open"
                : contexts.getLast() == MERGE ? "_0.fdt: POSITIONAL" : "_0.fdt: MAPPED_RANDOM");
      }
      IOUtils.close(inputs);
    }
  }

  /** A cache in front of the positional side must see all that changes a file. */
  public void testWrapperSeesEveryChange() throws IOException {
    Set<String> seen = new HashSet<>();
    List<MockDirectoryWrapper> wrappers = new ArrayList<>();
    try (HybridDirectory directory =
        HybridDirectory.builder(folder)
            .read("fdt", AccessMode.POSITIONAL)
            .positional(
                side -> {
                  wrappers.add(new MockDirectoryWrapper(random(), side));
                  return wrappers.getFirst();
                })
            .build()) {
      wrappers
          .getFirst()
          .failOn(
              new MockDirectoryWrapper.Failure() {
                @Override
                public void eval(MockDirectoryWrapper wrapper) {
                  // Called by a method of the wrapper, through one that may throw.
                  seen.add(
                      StackWalker.getInstance()
                          .walk(calls -> calls.skip(2).findFirst().orElseThrow().getMethodName()));
                }
              });
      write(directory, "_0.fdt", bytes);
      assertArrayEquals(bytes, read(directory, "_0.fdt"));
      directory.rename("_0.fdt", "_1.fdt");
      directory.deleteFile("_1.fdt");
      directory.createTempOutput("_2", "sort", IOContext.DEFAULT).close();
    }
    assertFalse(wrappers.getFirst().isOpen());
    List<String> calls =
        List.of("createOutput", "openInput", "rename", "deleteFile", "createTempOutput");
    assertTrue(seen.toString(), seen.containsAll(calls));
  }
}
