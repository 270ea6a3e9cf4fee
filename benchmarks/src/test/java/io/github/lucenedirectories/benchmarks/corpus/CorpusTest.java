// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorpusTest {
  private static final String LINE = "Title\t09-FEB-2012 11:54:22.000\tthe body";

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Corpus spec(int copies, Path... files) {
    return new Corpus(Stream.of(files).map(Path::toString).toList(), copies);
  }

  private static List<LineDocument> read(Corpus corpus) throws IOException {
    List<LineDocument> documents = new ArrayList<>();
    corpus.forEach(documents::add);
    return documents;
  }

  @Test
  void readsPlainAndGzipFilesInOrder() throws IOException {
    Path plain = file("a.tsv", LINE + "\n");
    Path packed = folder.resolve("b.tsv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("Other\t2004-03-30\tmore\n".getBytes(StandardCharsets.UTF_8));
    }
    List<LineDocument> documents = read(spec(1, plain, packed));
    assertEquals(
        new LineDocument(
            "Title", Instant.parse("2012-02-09T11:54:22Z").toEpochMilli(), "the body", null),
        documents.get(0));
    assertEquals("Other", documents.get(1).title());
    String day = Instant.ofEpochMilli(documents.get(1).epochMillis()).toString();
    assertTrue(day.startsWith("2004-03-30T"), day);
    assertEquals(2, documents.size());
  }

  @Test
  void headerNamesTheColumns() throws IOException {
    String header = "FIELDS_HEADER_INDICATOR###\t";
    Path file = file("a.tsv", header + "doctitle\tdocdate\tbody\tRandomLabel\n" + LINE + "\tl 7\n");
    assertEquals("l 7", read(spec(1, file)).get(0).label());
    Path swapped = file("b.tsv", header + "body\tdocdate\tdoctitle\nthe body\t2004-03-30\tB\n");
    LineDocument document = read(spec(1, swapped)).get(0);
    assertEquals("the body", document.body());
    assertEquals("B", document.title());
    assertNull(document.label());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no tabs at all | a line without tabs, expected title TAB date TAB body",
        "a~b            | 2 columns, expected title TAB date TAB body",
        "a~yesterday~c  | the date 'yesterday' is neither dd-MMM-yyyy HH:mm:ss.SSS nor yyyy-MM-dd",
      })
  void badLineIsRefusedWithItsPlace(String line, String reason) throws IOException {
    Path file = file("a.tsv", LINE + "\n" + line.replace('~', '\t') + "\n");
    refused(file + ":2: " + reason, file);
  }

  private static void refused(String message, Path file) {
    UsageException refused = assertThrows(UsageException.class, () -> read(spec(1, file)));
    assertTrue(String.valueOf(refused.getMessage()).startsWith(message), refused::toString);
  }

  @Test
  void filesThatAreNoLineFilesAreRefused() throws IOException {
    refused("no such file: ", folder.resolve("none"));
    refused("not a readable file: ", folder);
    refused("no documents in ", file("empty.tsv", ""));
    Path binary = Files.write(folder.resolve("binary"), new byte[] {65, (byte) 0xff, 66});
    refused("not UTF-8: " + binary, binary);
    Path cut = Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    refused("damaged gzip: " + cut, cut);
  }

  @Test
  void fingerprintFollowsTheFileAndTheCopies() throws IOException {
    Path file = file("a.tsv", LINE + "\n");
    String before = spec(1, file).fingerprint();
    assertEquals(before, spec(1, file).fingerprint());
    assertNotEquals(before, spec(2, file).fingerprint());
    Files.writeString(file, LINE + "\n" + LINE + "\n");
    assertNotEquals(before, spec(1, file).fingerprint());
  }

  private Path three(String more) throws IOException {
    return file(
        "lines.tsv",
        """
        One\t01-MAR-2011 00:10:00.000\tfirst \u00e9\u6f22 "quoted" \\ body\tlabel
        Two\t02-MAR-2011 01:10:00.000\tsecond
        Three\t03-MAR-2011 02:10:00.000\tthird
        """
            + more);
  }

  @Test
  void loadedDocumentsComeBackAsTheyWere() throws IOException {
    Corpus spec = spec(5, three(""));
    List<LineDocument> expected = read(spec.once());
    Path file = folder.resolve("text.json");
    LoadedCorpus.Size size = LoadedCorpus.write(spec.once(), Integer.MAX_VALUE, file);
    assertEquals(3, size.documents());
    assertEquals(
        expected.stream().mapToInt(d -> d.body().getBytes(StandardCharsets.UTF_8).length).sum(),
        size.bytes());
    LoadedCorpus loaded = LoadedCorpus.read(file);
    assertEquals(3, loaded.size());
    List<LineDocument> all = read(spec);
    assertEquals(15, all.size());
    for (int i = 0; i < 15; i++) {
      assertEquals(expected.get(i % 3), loaded.line(i));
      assertEquals(expected.get(i % 3), all.get(i));
    }
  }

  @Test
  void limitEndsTheReading() throws IOException {
    // The line that cannot be read comes after the limit.
    Corpus corpus = spec(1, three("no tabs\n"));
    Path file = folder.resolve("text.json");
    assertEquals(2, LoadedCorpus.write(corpus, 2, file).documents());
    assertEquals(2, LoadedCorpus.read(file).size());
    assertThrows(UsageException.class, () -> LoadedCorpus.write(corpus, 4, file));
  }

  @Test
  void cutKeepsEveryWordAndPartsComeNearTheTarget() {
    long seed = 17;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      String text =
          random
              .ints(1 + random.nextInt(2000), 1, 12)
              .mapToObj(length -> (random.nextBoolean() ? "a" : "ä").repeat(length))
              .collect(Collectors.joining(" "));
      List<String> parts = Corpus.cut(text);
      List<String> words = parts.stream().flatMap(part -> Arrays.stream(part.split(" "))).toList();
      assertEquals(List.of(text.split(" ")), words, "seed=" + seed + " round=" + round);
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      int expected = Math.max(1, Math.round(bytes / (float) Corpus.TARGET_BYTES));
      assertTrue(Math.abs(parts.size() - expected) <= 1, parts.size() + " parts of " + bytes);
      for (String part : parts.subList(0, parts.size() - 1)) {
        int size = part.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(size > 500 && size < 1800, "a part of " + size + " bytes of " + bytes);
      }
    }
    assertEquals(List.of("a few words"), Corpus.cut("  a few words \n"));
    assertEquals(List.of(), Corpus.cut(" \n "));
    String word = "x".repeat(5000);
    assertEquals(List.of(word, "tail"), Corpus.cut(word + " tail"));
  }
}
