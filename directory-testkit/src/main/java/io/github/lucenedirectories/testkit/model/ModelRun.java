// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.model;

import static org.apache.lucene.tests.util.LuceneTestCase.expectThrows;
import static org.apache.lucene.tests.util.LuceneTestCase.expectThrowsAnyOf;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.StoreTestCase;
import io.github.lucenedirectories.testkit.Subject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;

/**
 * One run of random operations on a directory beside a map from names to contents. A failure names
 * the operations that came before it.
 */
final class ModelRun {

  private static final int NAMES = 25;
  private static final int MOST_INPUTS = 40;

  /** More operations make a file than delete one: a long run would end with thousands. */
  private static final int MOST_FILES = 100;

  private static final int TRACE = 30;

  private final Subject subject;
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
  ModelRun(Subject subject, Path path, Random random) throws IOException {
    this.subject = subject;
    this.path = path;
    this.random = random;
    this.edge = subject.edgeBytes();
    this.directory = subject.open(path);
  }

  /** Does this many operations, then closes all. */
  void run(int operations) throws IOException {
    AssertionError failure = null;
    try {
      for (int i = 0; i < operations; i++) {
        step();
      }
      checkAll();
    } catch (AssertionError | IOException | RuntimeException e) {
      String last = "\nafter:\n  " + String.join("\n  ", trace);
      failure = new AssertionError(subject + ": " + e + last, e);
    }
    try {
      closeInputs();
      directory.close();
    } catch (AssertionError | IOException | RuntimeException e) {
      // Of a directory that has failed before, this is not the news.
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void step() throws IOException {
    if (files.isEmpty()) {
      create();
    } else if (files.size() > MOST_FILES) {
      delete();
    }
    switch (random.nextInt(40)) {
      case 0, 1, 2, 3 -> create();
      case 4 -> createTaken();
      case 5, 6 -> delete();
      case 7 -> rename();
      case 8 -> missing();
      case 9 -> copy();
      case 10 -> list();
      case 11 -> sync();
      case 12 -> lock();
      case 13, 14, 15, 16, 17 -> openInput();
      case 18, 19, 20, 21, 22 -> deriveInput();
      case 23 -> closeInput();
      case 24 -> reopenRarely();
      default -> readInput();
    }
  }

  private void log(String operation) {
    trace.add(operation);
    if (trace.size() > TRACE) {
      trace.remove();
    }
  }

  /** One of few names, or, as these are taken, of ever more. */
  private String freeName() {
    String name = null;
    for (int names = NAMES; name == null || files.containsKey(name); names *= 2) {
      name = "_" + Integer.toString(random.nextInt(names), Character.MAX_RADIX) + ".dat";
    }
    return name;
  }

  private String existingName() {
    return List.copyOf(files.keySet()).get(random.nextInt(files.size()));
  }

  private WrittenFile content(String name) {
    return Objects.requireNonNull(files.get(name), name);
  }

  private int anyLength() {
    return switch (random.nextInt(30)) {
      // Around the sizes of buffers and pieces of memory; rarely more than a huge page.
      case 0 ->
          random.nextInt(10) == 0 && subject.chunkBytes() >= 64
              ? (1 << 21) + random.nextInt(1 << 20)
              : (1 << (14 + random.nextInt(4))) + random.nextInt(9) - 4;
      case 1, 2, 3, 4, 5, 6 -> random.nextInt(30);
      case 7, 8, 9, 10, 11, 12 -> edge * (1 + random.nextInt(3)) + random.nextInt(5) - 2;
      case 13, 14, 15, 16, 17, 18 -> random.nextInt(3_000);
      default -> random.nextInt(3 * edge + 100);
    };
  }

  private void create() throws IOException {
    boolean temporary = random.nextInt(4) == 0;
    String wanted = freeName();
    try (IndexOutput out =
        temporary
            ? directory.createTempOutput("_t", "sort", Contexts.anyShared(random))
            : directory.createOutput(wanted, Contexts.anyShared(random))) {
      String name = out.getName();
      int length = anyLength();
      log("create " + name + ", about " + length + " bytes");
      assertTrue(name, temporary ? name.matches("_t.*\\.tmp") : name.equals(wanted));
      assertFalse("the name is taken: " + name, files.containsKey(name));
      files.put(name, new WrittenFile(random, out, length));
    }
  }

  private void createTaken() {
    String name = existingName();
    log("create again " + name);
    // In this context: a cache need not look below for a name that it keeps in memory itself.
    expectThrows(
        FileAlreadyExistsException.class,
        () -> directory.createOutput(name, IOContext.DEFAULT).close());
  }

  private void delete() throws IOException {
    String name = existingName();
    log("delete " + name);
    directory.deleteFile(name);
    files.remove(name);
    synced.remove(name);
  }

  private void rename() throws IOException {
    String source = existingName();
    String target = freeName();
    log("rename " + source + " to " + target);
    directory.rename(source, target);
    files.put(target, content(source));
    files.remove(source);
    if (synced.remove(source)) {
      synced.add(target);
    }
  }

  private void missing() {
    String name = freeName();
    log("missing " + name);
    // Where nothing is durable there is nothing to sync.
    int use = random.nextInt(subject.promises().contains(Promise.DURABLE) ? 5 : 4);
    expectThrowsAnyOf(
        List.of(NoSuchFileException.class, FileNotFoundException.class),
        () -> {
          switch (use) {
            case 0 -> directory.openInput(name, Contexts.any(random)).close();
            case 1 -> directory.deleteFile(name);
            case 2 -> directory.fileLength(name);
            case 3 -> directory.rename(name, name + "x");
            default -> directory.sync(List.of(name));
          }
        });
  }

  private void copy() throws IOException {
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
    assertEquals(List.copyOf(files.keySet()), StoreTestCase.names(directory));
    for (Map.Entry<String, WrittenFile> file : files.entrySet()) {
      long length = directory.fileLength(file.getKey());
      assertEquals(file.getKey(), file.getValue().bytes.length, length);
    }
    assertEquals(Set.of(), directory.getPendingDeletions());
  }

  private void sync() throws IOException {
    log("sync");
    List<String> names = files.keySet().stream().filter(_ -> random.nextInt(4) == 0).toList();
    directory.sync(names);
    directory.syncMetaData();
    synced.addAll(names);
  }

  private void lock() throws IOException {
    log("lock");
    try (Lock lock = directory.obtainLock("test.lock")) {
      lock.ensureValid();
      expectThrows(
          LockObtainFailedException.class, () -> directory.obtainLock("test.lock").close());
    }
    if (StoreTestCase.names(directory).contains("test.lock")) {
      directory.deleteFile("test.lock");
    }
  }

  private void openInput() throws IOException {
    if (inputs.size() < MOST_INPUTS) {
      String name = existingName();
      log("open " + name);
      IndexInput in = directory.openInput(name, Contexts.any(random));
      inputs.add(ModelInput.opened(in, content(name)));
    }
  }

  private void deriveInput() throws IOException {
    List<ModelInput> usable = inputs.stream().filter(ModelInput::usable).toList();
    if (!usable.isEmpty() && inputs.size() < MOST_INPUTS) {
      ModelInput input = usable.get(random.nextInt(usable.size()));
      log("clone or slice " + input);
      inputs.add(random.nextInt(5) < 2 ? input.copy() : input.slice(random));
    }
  }

  private void readInput() throws IOException {
    if (!inputs.isEmpty()) {
      ModelInput input = inputs.get(random.nextInt(inputs.size()));
      log("read " + input);
      boolean reads = true;
      for (int i = random.nextInt(6); reads && i >= 0; i--) {
        reads = input.readSomething(random, subject);
      }
      if (!reads) {
        inputs.remove(input);
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
      if (!subject.promises().contains(Promise.FILES)) {
        forgetUnsynced();
      }
      checkAll();
    }
  }

  /** What was not synced may be gone, there or something between: it is deleted. */
  private void forgetUnsynced() throws IOException {
    boolean persistent = subject.promises().contains(Promise.DURABLE);
    if (!persistent) {
      synced.clear();
    }
    files.keySet().retainAll(synced);
    for (String name : StoreTestCase.names(directory)) {
      if (!files.containsKey(name)) {
        assertTrue("found again: " + name, persistent);
        directory.deleteFile(name);
      }
    }
  }

  private void checkAll() throws IOException {
    list();
    for (Map.Entry<String, WrittenFile> file : files.entrySet()) {
      try (IndexInput in = directory.openInput(file.getKey(), Contexts.any(random))) {
        assertArrayEquals(file.getKey(), file.getValue().bytes, StoreTestCase.remaining(in));
      }
    }
  }

  private void closeInputs() throws IOException {
    for (ModelInput input : inputs) {
      if (input.isOriginal()) {
        input.close();
      }
    }
    inputs.clear();
  }
}
