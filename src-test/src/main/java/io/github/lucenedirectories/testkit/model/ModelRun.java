package io.github.lucenedirectories.testkit.model;

import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.tests.mockfile.ExtrasFS;
import org.jspecify.annotations.Nullable;

/**
 * One run of random operations on a directory beside a map from names to contents.
 *
 * <p>All that happens follows from the seed. A failure names the operations that came before it.
 */
public final class ModelRun {

  private static final int NAMES = 25;
  private static final int MOST_INPUTS = 40;

  /** More operations make a file than delete one: a long run would end with thousands. */
  private static final int MOST_FILES = 100;

  private static final int TRACE = 30;

  private final DirectoryUnderTest subject;
  private final Path path;
  private final Random random;
  private final int edge;
  private final TreeMap<String, WrittenFile> files = new TreeMap<>();
  private final Set<String> synced = new HashSet<>();
  private final List<ModelInput> inputs = new ArrayList<>();
  private final ArrayDeque<String> trace = new ArrayDeque<>();
  private Directory directory;

  /**
   * @param path an empty folder, for a directory that keeps files
   */
  public ModelRun(DirectoryUnderTest subject, Path path, long seed) throws IOException {
    this.subject = subject;
    this.path = path;
    this.random = new Random(seed);
    this.edge = subject.capabilities().edgeBytes();
    this.directory = subject.open(path);
  }

  /** Does this many operations, then closes all. */
  public void run(int operations) throws IOException {
    try {
      for (int i = 0; i < operations; i++) {
        step();
      }
      checkAll();
      closeInputs();
    } catch (AssertionError | IOException | RuntimeException e) {
      throw new AssertionError(subject + ": " + e + "\nafter:\n  " + String.join("\n  ", trace), e);
    } finally {
      closeInputs();
      directory.close();
    }
  }

  private void step() throws IOException {
    switch (random.nextInt(40)) {
      case 0, 1, 2 -> create();
      case 3 -> createTemporary();
      case 4 -> createTaken();
      case 5, 6 -> delete();
      case 7 -> rename();
      case 8 -> missing();
      case 9 -> copy();
      case 10 -> list();
      case 11 -> sync();
      case 12 -> checksum();
      case 13 -> lock();
      case 14, 15, 16, 17 -> openInput();
      case 18, 19 -> cloneInput();
      case 20, 21, 22 -> sliceInput();
      case 23 -> closeInput();
      case 24 -> reopenRarely();
      default -> readInput();
    }
    if (files.size() > MOST_FILES) {
      delete();
    }
  }

  private void log(String operation) {
    trace.add(operation);
    if (trace.size() > TRACE) {
      trace.remove();
    }
  }

  private String anyName(int names) {
    return "_" + Integer.toString(random.nextInt(names), Character.MAX_RADIX) + ".dat";
  }

  /** One of few names, or, as these are taken, of ever more. */
  private String freeName() {
    int names = NAMES;
    String name = anyName(names);
    while (files.containsKey(name)) {
      names <<= 1;
      name = anyName(names);
    }
    return name;
  }

  private String existingName() {
    List<String> names = List.copyOf(files.keySet());
    return names.get(random.nextInt(names.size()));
  }

  private WrittenFile content(String name) {
    return Objects.requireNonNull(files.get(name), name);
  }

  private int anyLength() {
    if (random.nextInt(30) == 0) {
      return anyLargeLength();
    }
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(30);
      case 1 -> Math.max(0, edge * (1 + random.nextInt(3)) + random.nextInt(5) - 2);
      case 2 -> random.nextInt(3_000);
      default -> random.nextInt(3 * edge + 100);
    };
  }

  /** A length around the sizes of buffers and pieces of memory; rarely more than a huge page. */
  private int anyLargeLength() {
    if (random.nextInt(10) == 0 && subject.capabilities().chunkBytes() >= 64) {
      return (1 << 21) + random.nextInt(1 << 20);
    }
    return (1 << (14 + random.nextInt(4))) + random.nextInt(9) - 4;
  }

  private void create() throws IOException {
    String name = freeName();
    int length = anyLength();
    log("create " + name + ", about " + length + " bytes");
    try (IndexOutput out = directory.createOutput(name, Contexts.anyShared(random))) {
      check(out.getName().equals(name), "the output is called " + out.getName());
      files.put(name, WrittenFile.write(random, out, length));
    }
  }

  private void createTemporary() throws IOException {
    try (IndexOutput out = directory.createTempOutput("_t", "sort", Contexts.anyShared(random))) {
      String name = out.getName();
      log("create temporary " + name);
      check(!files.containsKey(name), "temporary name is taken: " + name);
      check(name.startsWith("_t") && name.endsWith(".tmp"), "temporary name: " + name);
      files.put(name, WrittenFile.write(random, out, anyLength()));
    }
  }

  private void createTaken() throws IOException {
    if (!files.isEmpty()) {
      String name = existingName();
      log("create again " + name);
      try {
        // In this context: a cache need not look below for a name that it keeps in memory itself.
        directory.createOutput(name, IOContext.DEFAULT).close();
        throw new AssertionError("created a second time: " + name);
      } catch (FileAlreadyExistsException expected) {
        check(expected.getMessage() != null, "no message");
      }
    }
  }

  private void delete() throws IOException {
    if (!files.isEmpty()) {
      String name = existingName();
      log("delete " + name);
      directory.deleteFile(name);
      files.remove(name);
      synced.remove(name);
    }
  }

  private void rename() throws IOException {
    if (!files.isEmpty()) {
      String source = existingName();
      String target = freeName();
      log("rename " + source + " to " + target);
      directory.rename(source, target);
      WrittenFile content = content(source);
      files.remove(source);
      files.put(target, content);
      if (synced.remove(source)) {
        synced.add(target);
      }
    }
  }

  private void missing() throws IOException {
    String name = freeName();
    log("missing " + name);
    try {
      switch (random.nextInt(5)) {
        case 0 -> directory.openInput(name, Contexts.any(random)).close();
        case 1 -> directory.deleteFile(name);
        case 2 -> directory.fileLength(name);
        case 3 -> directory.rename(name, freeName());
        default -> directory.sync(List.of(name));
      }
      throw new AssertionError("missing, and no complaint: " + name);
    } catch (NoSuchFileException | FileNotFoundException expected) {
      check(expected.getMessage() != null, "no message");
    }
  }

  private void copy() throws IOException {
    if (files.isEmpty()) {
      return;
    }
    String source = existingName();
    String target = freeName();
    log("copy " + source + " to " + target);
    if (random.nextBoolean()) {
      directory.copyFrom(directory, source, target, Contexts.anyShared(random));
    } else {
      try (Directory between = new ByteBuffersDirectory()) {
        between.copyFrom(directory, source, "between", Contexts.anyShared(random));
        directory.copyFrom(between, "between", target, Contexts.anyShared(random));
      }
    }
    files.put(target, content(source));
  }

  private void list() throws IOException {
    log("list");
    List<String> names = names();
    check(names.equals(List.copyOf(files.keySet())), "listed " + names);
    for (Map.Entry<String, WrittenFile> file : files.entrySet()) {
      long length = directory.fileLength(file.getKey());
      check(length == file.getValue().length(), file.getKey() + ": length=" + length);
    }
    check(directory.getPendingDeletions().isEmpty(), "a deletion is pending");
  }

  private List<String> names() throws IOException {
    String[] all = directory.listAll();
    return Arrays.stream(all).filter(name -> !ExtrasFS.isExtra(name)).toList();
  }

  private void sync() throws IOException {
    log("sync");
    List<String> names = files.keySet().stream().filter(name -> random.nextInt(4) == 0).toList();
    directory.sync(names);
    directory.syncMetaData();
    synced.addAll(names);
  }

  private void checksum() throws IOException {
    if (!files.isEmpty()) {
      String name = existingName();
      log("checksum " + name);
      byte[] bytes = content(name).bytes();
      CRC32 expected = new CRC32();
      expected.update(bytes);
      try (ChecksumIndexInput in = directory.openChecksumInput(name)) {
        in.seek(bytes.length);
        check(in.getChecksum() == expected.getValue(), "wrong checksum of " + name);
      }
    }
  }

  private void lock() throws IOException {
    log("lock");
    try (Lock lock = directory.obtainLock("test.lock")) {
      lock.ensureValid();
      try {
        directory.obtainLock("test.lock").close();
        throw new AssertionError("locked twice");
      } catch (LockObtainFailedException expected) {
        check(expected.getMessage() != null, "no message");
      }
    }
    if (names().contains("test.lock")) {
      directory.deleteFile("test.lock");
    }
  }

  private void openInput() throws IOException {
    if (!files.isEmpty() && inputs.size() < MOST_INPUTS) {
      String name = existingName();
      log("open " + name);
      IndexInput in = directory.openInput(name, Contexts.any(random));
      inputs.add(ModelInput.opened(in, content(name)));
    }
  }

  private void cloneInput() {
    ModelInput input = anyUsable();
    if (input != null) {
      log("clone " + input);
      inputs.add(input.copy());
    }
  }

  private void sliceInput() throws IOException {
    ModelInput input = anyUsable();
    if (input != null) {
      log("slice " + input);
      inputs.add(input.slice(random));
    }
  }

  private @Nullable ModelInput anyUsable() {
    List<ModelInput> usable = inputs.stream().filter(ModelInput::usable).toList();
    return usable.isEmpty() || inputs.size() >= MOST_INPUTS
        ? null
        : usable.get(random.nextInt(usable.size()));
  }

  private void readInput() throws IOException {
    if (!inputs.isEmpty()) {
      int index = random.nextInt(inputs.size());
      ModelInput input = inputs.get(index);
      log("read " + input);
      for (int i = random.nextInt(6); i >= 0; i--) {
        if (!input.readSomething(random, edge)) {
          inputs.remove(index);
          return;
        }
      }
    }
  }

  private void closeInput() throws IOException {
    if (!inputs.isEmpty()) {
      ModelInput input = inputs.get(random.nextInt(inputs.size()));
      log("close " + input);
      input.close();
    }
  }

  /** Closes the directory under its inputs' feet and opens another over the same folder. */
  private void reopenRarely() throws IOException {
    if (random.nextInt(10) == 0) {
      log("reopen");
      closeInputs();
      directory.close();
      directory = subject.open(path);
      if (!subject.capabilities().keepsFiles()) {
        forgetUnsynced();
      }
      checkAll();
    }
  }

  /** What was not synced may be gone, there or something between: it is deleted. */
  private void forgetUnsynced() throws IOException {
    if (!subject.capabilities().persistent()) {
      synced.clear();
    }
    files.keySet().retainAll(synced);
    for (String name : names()) {
      if (!files.containsKey(name)) {
        check(subject.capabilities().persistent(), "found again: " + name);
        directory.deleteFile(name);
      }
    }
  }

  private void checkAll() throws IOException {
    list();
    for (Map.Entry<String, WrittenFile> file : files.entrySet()) {
      byte[] expected = file.getValue().bytes();
      byte[] actual = new byte[expected.length];
      try (IndexInput in = directory.openInput(file.getKey(), Contexts.any(random))) {
        in.readBytes(actual, 0, actual.length);
      }
      int wrong = Arrays.mismatch(expected, actual);
      check(wrong < 0, file.getKey() + ": wrong byte " + wrong);
    }
  }

  private void closeInputs() throws IOException {
    for (ModelInput input : inputs) {
      if (input.original()) {
        input.close();
      }
    }
    inputs.clear();
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
