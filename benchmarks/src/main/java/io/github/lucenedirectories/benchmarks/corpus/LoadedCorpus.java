// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SequenceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Documents of a corpus held in memory, so that reading the text costs a measurement nothing. Any
 * thread may use it.
 */
public final class LoadedCorpus {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<LineDocument> lines;

  private LoadedCorpus(List<LineDocument> lines) {
    this.lines = List.copyOf(lines);
  }

  /** How much text there is: bytes are those of the bodies in UTF-8. */
  public record Size(int documents, long bytes) {}

  /** Writes the first documents of a corpus to a file that {@link #read} reads. */
  public static Size write(Corpus corpus, int limit, Path file) throws IOException {
    int[] documents = {0};
    long[] bytes = {0};
    try (SequenceWriter writer = MAPPER.writerFor(LineDocument.class).writeValues(file.toFile())) {
      corpus.forEach(
          line -> {
            writer.write(line);
            bytes[0] += line.body().getBytes(StandardCharsets.UTF_8).length;
            if (++documents[0] == limit) {
              throw new EnoughException();
            }
          });
    } catch (EnoughException e) {
      // The rest is not needed.
    }
    return new Size(documents[0], bytes[0]);
  }

  /** The documents in a file, of which there is at least one. */
  public static LoadedCorpus read(Path file) throws IOException {
    try (MappingIterator<LineDocument> lines =
        MAPPER.readerFor(LineDocument.class).readValues(file.toFile())) {
      return new LoadedCorpus(lines.readAll());
    }
  }

  public int size() {
    return lines.size();
  }

  /** The {@code number}-th document from 0; after the last comes the first again. */
  public LineDocument line(int number) {
    return lines.get(number % lines.size());
  }

  /** Ends the reading of a corpus; a sink has no other way to. */
  private static final class EnoughException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
