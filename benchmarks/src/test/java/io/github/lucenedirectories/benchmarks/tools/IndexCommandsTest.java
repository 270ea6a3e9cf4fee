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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for operators as a user types them. */
class IndexCommandsTest {

  private static final int COMMITS = 3;

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

  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(each -> !each.endsWith("write.lock")).toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private void assertSame(Path copy) throws IOException {
    Map<String, byte[]> expected = files(index);
    Map<String, byte[]> found = files(copy);
    assertEquals(expected.keySet(), found.keySet(), "seed=" + seed);
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      assertEquals(-1, Arrays.mismatch(file.getValue(), found.get(file.getKey())));
    }
  }

  @Test
  void copyHasAllCommits() throws IOException {
    Map<String, String> before = SampleText.state(index);
    Path target = folder.resolve("copy");
    EndedCommand copy = EndedCommand.typed("copy", index, target);
    copy.assertDone();
    assertSame(target);
    assertEquals(before, SampleText.state(index));
    assertTrue(copy.out().startsWith("Copied " + COMMITS + " commits: "), copy.out());
    EndedCommand again = EndedCommand.typed("copy", index, target, "--json");
    again.assertDone();
    JsonNode facts = new ObjectMapper().readTree(again.out());
    assertEquals(0, facts.get("copied").asInt());
    assertEquals(files(index).size(), facts.get("keptFromEarlier").asInt());
  }

  /** A damaged part, a longer one, and a wrong file of the same length are copied again. */
  @Test
  void leftoversAreNotTrusted() throws IOException {
    Path target = Files.createDirectory(folder.resolve("copy"));
    List<String> names = files(index).keySet().stream().filter(n -> n.startsWith("_")).toList();
    for (String name : names) {
      int length = (int) Files.size(index.resolve(name));
      byte[] wrong = new byte[random.nextInt(2 * length)];
      random.nextBytes(wrong);
      Files.write(target.resolve(name + ".copying"), wrong);
      if (random.nextBoolean()) {
        Files.write(target.resolve(name), new byte[length]);
      }
    }
    Files.write(target.resolve("_zz.fdt"), new byte[10]);
    Files.write(target.resolve("_zz.fdt.copying"), new byte[10]);
    EndedCommand.typed("copy", index, target).assertDone();
    assertSame(target);
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
      Map<String, byte[]> before = files(other);
      EndedCommand refused = EndedCommand.typed("copy", index, other);
      assertEquals(2, refused.status());
      assertTrue(refused.err().contains("which the index has not"), refused.err());
      assertEquals(before.keySet(), files(other).keySet());
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
    for (int kill = 0; kill < Integer.getInteger("kills", 2); kill++) {
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
      ended += copy.waitFor(250 + random.nextInt(350), TimeUnit.MILLISECONDS) ? 1 : 0;
      copy.destroyForcibly().waitFor();
      for (String name : files(target.toFile().isDirectory() ? target : index).keySet()) {
        // What has its name is whole, whenever the copy was killed.
        if (!name.endsWith(".copying") && !name.startsWith("pending")) {
          assertEquals(-1, Files.mismatch(index.resolve(name), existing(target, name)));
        }
      }
      if (random.nextInt(4) == 0 && Files.exists(target.resolve("_0.fdt"))) {
        Files.delete(target.resolve("_0.fdt"));
      }
    }
    System.out.println("ended before they were killed: " + ended);
    EndedCommand.typed("copy", index, target).assertDone();
    assertSame(target);
  }

  private Path existing(Path target, String name) {
    Path copied = target.resolve(name);
    return Files.exists(copied) ? copied : index.resolve(name);
  }

  /** The index is written and its commits are deleted while it is copied and checked. */
  @Test
  void indexInUse() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    Thread writing =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Directory directory = FSDirectory.open(index);
                      IndexWriter writer =
                          new IndexWriter(directory, new IndexWriterConfig(null))) {
                    for (int i = 0; !enough.get(); i++) {
                      Document document = new Document();
                      document.add(new StoredField("bytes", new byte[1 + i % 10_000]));
                      writer.addDocument(document);
                      writer.commit();
                    }
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    try {
      for (int i = 0; i < 5; i++) {
        Path target = folder.resolve("copy" + i);
        EndedCommand.typed("copy", index, target).assertDone();
        EndedCommand.typed("check", index).assertDone();
        EndedCommand.typed("info", index).assertDone();
        try (Directory directory = FSDirectory.open(target);
            CheckIndex check = new CheckIndex(directory)) {
          assertTrue(check.checkIndex().clean);
        }
      }
    } finally {
      enough.set(true);
      writing.join();
    }
  }

  /** Flips {@code -Dflips=N} bits, each in an index that is whole otherwise. */
  @Test
  void checkFindsEachFlippedBit() throws IOException {
    Path state = folder.resolve("state");
    EndedCommand.typed("check", index, "--state", state).assertDone();
    List<String> names = List.copyOf(files(index).keySet());
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
    int files = files(index).size();
    assertEquals(files, new ObjectMapper().readTree(first.out()).get("verified").asInt());
    List<String> lines = Files.readAllLines(state);
    assertEquals(files, lines.size());
    // As if it had been killed: the last line is cut off.
    String half = String.join("\n", lines.subList(0, files / 2)) + "\n0 20";
    Files.writeString(state, half);
    EndedCommand again = EndedCommand.typed("check", index, "--state", state);
    again.assertDone();
    assertTrue(again.out().contains(files / 2 + " were so before"), again.out());
    Files.delete(index.resolve("_1.fdt"));
    EndedCommand missing = EndedCommand.typed("check", index, "--state", state);
    assertEquals(1, missing.status());
    assertTrue(missing.err().contains("_1.fdt"), missing.err());
  }

  @Test
  void infoCountsWhatIsThere() throws IOException {
    Files.write(index.resolve("_left.tmp"), new byte[77]);
    EndedCommand info = EndedCommand.typed("info", index, "--json");
    info.assertDone();
    JsonNode facts = new ObjectMapper().readTree(info.out());
    assertEquals(COMMITS, facts.get("commits").size());
    assertEquals("_left.tmp", facts.get("filesOfNoCommit").get(0).asText());
    long bytes = 0;
    for (JsonNode kind : facts.get("bytesByExtension")) {
      bytes += kind.asLong();
    }
    assertEquals(files(index).values().stream().mapToLong(b -> b.length).sum() - 77, bytes);
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(
          reader.numDocs(), facts.get("commits").get(COMMITS - 1).get("documents").asInt());
      assertEquals(reader.leaves().size(), facts.get("segments").size());
    }
    EndedCommand text = EndedCommand.typed("info", index);
    text.assertDone();
    assertTrue(text.out().contains("Of no commit: 1 files, 77"), text.out());
    assertFalse(Files.exists(index.resolve("write.lock")));
  }

  @Test
  void residencyAndWarm() throws IOException {
    EndedCommand residency = EndedCommand.typed("residency", index, "--json");
    residency.assertDone();
    JsonNode stored = new ObjectMapper().readTree(residency.out()).get("fdt");
    assertNotEquals(0, stored.get("bytes").asLong());
    assertTrue(stored.get("residentBytes").asLong() <= stored.get("bytes").asLong());
    Path image = folder.resolve("image");
    EndedCommand.typed("warm", index, "--image", image)
        .assertRefused("no such image: " + image + "; --save makes one");
    EndedCommand.typed("warm", index, "--image", image, "--save").assertDone();
    byte[] saved = Files.readAllBytes(image);
    EndedCommand warm = EndedCommand.typed("warm", index, "--image", image);
    warm.assertDone();
    assertTrue(warm.out().contains("loadedBytes="), warm.out());
    assertEquals(-1, Arrays.mismatch(saved, Files.readAllBytes(image)));
  }
}
