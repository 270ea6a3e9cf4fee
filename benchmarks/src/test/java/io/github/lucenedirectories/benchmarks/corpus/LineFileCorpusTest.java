package io.github.lucenedirectories.benchmarks.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineFileCorpusTest {
  private static final String LINE = "Title\t09-FEB-2012 11:54:22.000\tthe body";

  @TempDir private Path folder;

  @Test
  void readsPlainAndGzipFilesInOrder() throws IOException {
    Path plain = file("a.tsv", LINE + "\n");
    Path packed = folder.resolve("b.tsv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("Other\t2004-03-30\tmore\n".getBytes(StandardCharsets.UTF_8));
    }
    List<LineDocument> documents = read(plain, packed);
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
    Path file =
        file(
            "a.tsv",
            "FIELDS_HEADER_INDICATOR###\tdoctitle\tdocdate\tbody\tRandomLabel\n"
                + LINE
                + "\tlabel 7\n");
    assertEquals("label 7", read(file).get(0).label());
    Path swapped =
        file(
            "b.tsv",
            "FIELDS_HEADER_INDICATOR###\tbody\tdocdate\tdoctitle\nthe body\t2004-03-30\tB\n");
    LineDocument document = read(swapped).get(0);
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
    UsageException refused = assertThrows(UsageException.class, () -> read(file));
    assertEquals(file + ":2: " + reason, refused.getMessage());
  }

  @Test
  void filesThatAreNoLineFilesAreRefused() throws IOException {
    assertThrows(UsageException.class, () -> read(folder.resolve("none")));
    assertThrows(UsageException.class, () -> read(folder));
    assertThrows(UsageException.class, () -> read(file("empty.tsv", "")));
    Path binary = Files.write(folder.resolve("binary"), new byte[] {65, (byte) 0xff, 66});
    assertEquals(
        "not UTF-8: " + binary,
        assertThrows(UsageException.class, () -> read(binary)).getMessage());
    Path cut = Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    UsageException refused = assertThrows(UsageException.class, () -> read(cut));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("damaged gzip: " + cut));
  }

  @Test
  void fingerprintFollowsTheFile() throws IOException {
    Path file = file("a.tsv", LINE + "\n");
    String before = new LineFileCorpus(List.of(file)).fingerprint();
    assertEquals(before, new LineFileCorpus(List.of(file)).fingerprint());
    Files.writeString(file, LINE + "\n" + LINE + "\n");
    assertNotEquals(before, new LineFileCorpus(List.of(file)).fingerprint());
  }

  @Test
  void repeatedCorpusHasEveryDocumentAsOften() throws IOException {
    List<String> titles = new ArrayList<>();
    Corpus once = new LineFileCorpus(List.of(file("a.tsv", LINE + "\n")));
    new RepeatedCorpus(once, 3).forEach(document -> titles.add(document.title()));
    assertEquals(List.of("Title", "Title", "Title"), titles);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<LineDocument> read(Path... files) throws IOException {
    List<LineDocument> documents = new ArrayList<>();
    new LineFileCorpus(List.of(files)).forEach(documents::add);
    return documents;
  }
}
