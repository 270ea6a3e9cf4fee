// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.SampleText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for operators as a user types them. */
class IndexCommandsTest {

  private static final int COMMITS = 3;
  private static final String MARK = "copied-from.txt";
  private static final String COPYING = "copying_";

  @TempDir private Path folder;
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Path index;

  @BeforeEach
  void makeIndex() throws IOException {
    index = folder.resolve("index");
    write(COMMITS, 1_000);
  }

  /** Adds commits, all of which are kept, with documents of incompressible bytes. */
  private void write(int commits, int documentBytes) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(null)
            .setUseCompoundFile(false)
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int commit = 0; commit < commits; commit++) {
        for (int i = 0; i < 20; i++) {
          byte[] bytes = new byte[documentBytes];
          random.nextBytes(bytes);
          Document document = new Document();
          document.add(new StoredField("bytes", bytes));
          writer.addDocument(document);
        }
        writer.commit();
      }
    }
    Files.deleteIfExists(index.resolve("write.lock"));
  }

  private void assertSame(Path copy) throws IOException {
    Map<String, byte[]> expected = SampleText.files(index);
    Map<String, byte[]> found = SampleText.files(copy);
    found.remove(MARK);
    assertEquals(expected.keySet(), found.keySet(), "seed=" + seed);
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      assertEquals(-1, Arrays.mismatch(file.getValue(), found.get(file.getKey())));
    }
  }

  @Test
  void copyHasAllCommits() throws IOException {
    Map<String, String> before = SampleText.state(index);
    Path target = Files.createDirectory(folder.resolve("copy"));
    // As an earlier copy left it that was killed at its first step.
    Files.createFile(target.resolve(MARK));
    EndedCommand copy = EndedCommand.typed("copy", index, target);
    copy.assertDone();
    assertSame(target);
    assertEquals(before, SampleText.state(index));
    assertTrue(copy.out().contains("commits: " + COMMITS), copy.out());
    EndedCommand again = EndedCommand.typed("copy", index, target, "--json");
    again.assertDone();
    JsonNode facts = new ObjectMapper().readTree(again.out());
    assertEquals(0, facts.get("copied").asInt());
    assertEquals(SampleText.files(index).size(), facts.get("keptFromEarlier").asInt());
  }

  /** A damaged part, a longer one, and a wrong file of the same length are copied again. */
  @Test
  void leftoversAreNotTrusted() throws IOException {
    Path target = folder.resolve("copy");
    EndedCommand.typed("copy", index, target).assertDone();
    for (String name : SampleText.files(index).keySet()) {
      int length = (int) Files.size(index.resolve(name));
      byte[] wrong = new byte[random.nextInt(2 * length)];
      random.nextBytes(wrong);
      Files.write(target.resolve(COPYING + name), wrong);
      if (name.startsWith("segments") || random.nextBoolean()) {
        Files.delete(target.resolve(name));
      } else {
        Files.write(target.resolve(name), new byte[length]);
      }
    }
    Files.write(target.resolve("_zz.fdt"), new byte[10]);
    Files.write(target.resolve("customer_segments.csv"), new byte[10]);
    EndedCommand.typed("copy", index, target).assertDone();
    Files.delete(target.resolve("customer_segments.csv"));
    assertSame(target);
  }

  /** What a link in the target points to stays as it is. */
  @Test
  void copyFollowsNoLinks() throws IOException {
    Path target = Files.createDirectory(folder.resolve("copy"));
    Path other = Files.createFile(folder.resolve("other"));
    Files.createSymbolicLink(target.resolve("copied-from.txt"), other);
    EndedCommand.typed("copy", index, target).assertDone();
    String name = SampleText.files(index).keySet().iterator().next();
    Files.delete(target.resolve(name));
    Files.createSymbolicLink(target.resolve(COPYING + name), other);
    EndedCommand.typed("copy", index, target).assertDone();
    assertSame(target);
    assertEquals(0, Files.size(other));
  }

  /** Later copies bring new commits, and remove those that the index has no longer. */
  @Test
  void copyFollowsTheIndex() throws IOException {
    Path target = folder.resolve("copy");
    for (int i = 0; i < 3; i++) {
      EndedCommand.typed("copy", index, target).assertDone();
      assertSame(target);
      try (Directory directory = FSDirectory.open(index);
          IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
        writer.addDocument(new Document());
        writer.forceMerge(1);
      }
      Files.deleteIfExists(index.resolve("write.lock"));
    }
    // What another program commits there is not taken for a copy.
    try (Directory directory = FSDirectory.open(target);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
      writer.addDocument(new Document());
    }
    Map<String, byte[]> before = SampleText.files(target);
    EndedCommand refused = EndedCommand.typed("copy", index, target);
    assertEquals(2, refused.status());
    assertTrue(refused.err().contains("something else wrote it"), refused.err());
    assertEquals(before.keySet(), SampleText.files(target).keySet());
  }

  @Test
  void copyIsRefused() throws IOException {
    EndedCommand.typed("copy", folder.resolve("none"), folder)
        .assertRefused("no such folder: " + folder.resolve("none"));
    EndedCommand.typed("copy", index, index)
        .assertRefused("index and target are the same folder: " + index);
    Path other = folder.resolve("other");
    try (Directory directory = FSDirectory.open(other)) {
      new IndexWriter(directory, new IndexWriterConfig(null)).close();
      Map<String, byte[]> before = SampleText.files(other);
      EndedCommand refused = EndedCommand.typed("copy", index, other);
      assertEquals(2, refused.status());
      assertTrue(refused.err().startsWith("not empty, and no copy: "), refused.err());
      assertEquals(before.keySet(), SampleText.files(other).keySet());
      try (IndexWriter _ = new IndexWriter(directory, new IndexWriterConfig(null))) {
        EndedCommand.typed("copy", index, other)
            .assertRefused("a writer or another copy has " + other + " open");
      }
    }
  }

  /** Kills the command {@code -Dkills=N} times; it then ends what it began. */
  @Test
  void killedCopyGoesOn() throws Exception {
    write(1, 2_000_000);
    Path target = folder.resolve("copy");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int ended = 0;
    int commits = 0;
    for (int kill = 0; kill < Integer.getInteger("kills", 2); kill++) {
      Map<String, Long> before = lengths(target);
      Process copy =
          new ProcessBuilder(
                  List.of(
                      java,
                      "--enable-native-access=ALL-UNNAMED",
                      "-cp",
                      System.getProperty("java.class.path"),
                      Main.class.getName(),
                      "copy",
                      index.toString(),
                      target.toString(),
                      "--threads",
                      String.valueOf(1 + random.nextInt(4))))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start();
      // Once it has changed something there.
      for (Map<String, Long> now = before; now.equals(before) && copy.isAlive(); ) {
        Thread.sleep(1);
        now = lengths(target);
      }
      boolean isDone = copy.waitFor(random.nextInt(60), TimeUnit.MILLISECONDS);
      copy.destroyForcibly().waitFor();
      // A folder that looks like an index is one, whenever the copy was killed.
      if (Files.exists(target)) {
        try (Directory directory = FSDirectory.open(target)) {
          if (DirectoryReader.indexExists(directory)) {
            EndedCommand.typed("check", target).assertDone();
            commits++;
          }
        }
      }
      if (isDone) {
        ended++;
        IOUtils.rm(target);
      }
      // The index goes on meanwhile.
      if (random.nextInt(4) == 0) {
        write(1, 1_000);
      }
    }
    System.out.println("ended before they were killed: " + ended + ", with a commit: " + commits);
    EndedCommand.typed("copy", index, target).assertDone();
    assertSame(target);
  }

  private static Map<String, Long> lengths(Path folder) throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.list(folder)) {
        for (Path file : all.toList()) {
          try {
            lengths.put(file.getFileName().toString(), Files.size(file));
          } catch (NoSuchFileException _) {
            // Renamed meanwhile.
          }
        }
      }
    }
    return lengths;
  }

  /** The index is written and its commits are deleted while it is copied and checked. */
  @Test
  void indexInUse() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    FutureTask<Integer> writing =
        new FutureTask<>(
            () -> {
              int commits = 0;
              try (Directory directory = FSDirectory.open(index);
                  IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
                for (; !enough.get(); commits++) {
                  Document document = new Document();
                  document.add(new StoredField("bytes", new byte[1 + commits % 10_000]));
                  writer.addDocument(document);
                  writer.commit();
                }
              }
              return commits;
            });
    Thread.ofPlatform().start(writing);
    try {
      for (int i = 0; i < 5; i++) {
        Path target = folder.resolve("copy" + i);
        EndedCommand.typed("copy", index, target).assertDone();
        EndedCommand.typed("check", index).assertDone();
        try (Directory directory = FSDirectory.open(target);
            CheckIndex check = new CheckIndex(directory)) {
          assertTrue(check.checkIndex().clean);
        }
      }
    } finally {
      enough.set(true);
      assertTrue(writing.get() > 5);
    }
  }

  /** Flips {@code -Dflips=N} bits, each in an index that is whole otherwise. */
  @Test
  void checkFindsEachFlippedBit() throws IOException {
    Path state = folder.resolve("state");
    EndedCommand.typed("check", index, "--state", state).assertDone();
    List<String> names = List.copyOf(SampleText.files(index).keySet());
    for (int flip = 0; flip < Integer.getInteger("flips", 20); flip++) {
      String name = names.get(random.nextInt(names.size()));
      try (RandomAccessFile file = new RandomAccessFile(index.resolve(name).toFile(), "rw")) {
        long at = (long) (random.nextDouble() * file.length());
        int bit = 1 << random.nextInt(8);
        flip(file, at, bit);
        EndedCommand check = EndedCommand.typed("check", index, "--threads", 2);
        assertEquals(1, check.status(), name + " at " + at + " seed=" + seed);
        assertTrue(check.err().contains(name), check.err());
        flip(file, at, bit);
      }
    }
    EndedCommand.typed("check", index).assertDone();
    // As after a power cut: a file of zeros, and an empty one.
    String name = "_" + random.nextInt(COMMITS) + ".fdt";
    long length = Files.size(index.resolve(name));
    for (byte[] zeros : new byte[][] {new byte[(int) length], {}}) {
      Files.write(index.resolve(name), zeros);
      EndedCommand check = EndedCommand.typed("check", index, "--json");
      assertEquals(1, check.status());
      assertTrue(new ObjectMapper().readTree(check.out()).get("damaged").has(name), check.out());
    }
  }

  private static void flip(RandomAccessFile file, long at, int bit) throws IOException {
    file.seek(at);
    int before = file.read();
    file.seek(at);
    file.write(before ^ bit);
  }

  @Test
  void checkGoesOnAndMissesNoFile() throws IOException {
    Path state = folder.resolve("state");
    EndedCommand first = EndedCommand.typed("check", index, "--state", state, "--json");
    first.assertDone();
    int files = SampleText.files(index).size();
    assertEquals(files, new ObjectMapper().readTree(first.out()).get("verified").asInt());
    assertFalse(Files.exists(state), "all are verified");
    // A damaged file keeps the state; then as if the run had been killed: a line is cut off.
    byte[] whole = Files.readAllBytes(index.resolve("_1.fdt"));
    Files.write(index.resolve("_1.fdt"), new byte[1]);
    assertEquals(1, EndedCommand.typed("check", index, "--state", state).status());
    Files.write(index.resolve("_1.fdt"), whole);
    List<String> lines = Files.readAllLines(state);
    assertEquals(files - 1, lines.size());
    Files.writeString(state, String.join("\n", lines.subList(0, files / 2)) + "\n0 20");
    EndedCommand again = EndedCommand.typed("check", index, "--state", state);
    again.assertDone();
    assertTrue(again.out().contains("verifiedBefore: " + files / 2), again.out());
    Files.delete(index.resolve("_1.fdt"));
    EndedCommand missing = EndedCommand.typed("check", index, "--state", state);
    assertEquals(1, missing.status());
    assertTrue(missing.err().contains("_1.fdt"), missing.err());
  }

  @Test
  void residencyAndWarm() throws IOException {
    EndedCommand residency = EndedCommand.typed("residency", index, "--json");
    residency.assertDone();
    JsonNode stored = new ObjectMapper().readTree(residency.out()).get("residency").get("fdt");
    assertNotEquals(0, stored.get("bytes").asLong());
    assertTrue(stored.get("residentBytes").asLong() <= stored.get("bytes").asLong());
    Path image = folder.resolve("image");
    EndedCommand.typed("warm", index, "--image", image)
        .assertRefused("no such image: " + image + "; --save makes one");
    EndedCommand.typed("warm", index, "--image", image, "--save").assertDone();
    byte[] saved = Files.readAllBytes(image);
    EndedCommand warm = EndedCommand.typed("warm", index, "--image", image);
    warm.assertDone();
    assertTrue(warm.out().contains("state=\"loaded\""), warm.out());
    assertEquals(-1, Arrays.mismatch(saved, Files.readAllBytes(image)));
    Files.write(image, new byte[100]);
    EndedCommand damaged = EndedCommand.typed("warm", index, "--image", image);
    assertEquals(1, damaged.status());
    assertTrue(damaged.err().startsWith("the image cannot be used: "), damaged.err());
  }
}
