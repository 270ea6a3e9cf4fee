package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Documents from luceneutil line files, plain or gzip, one after another. */
public final class LineFileCorpus implements Corpus {
  private static final int GZIP_MAGIC_1 = 0x1f;
  private static final int GZIP_MAGIC_2 = 0x8b;

  private final List<Path> files;

  /**
   * @throws UsageException if a file does not exist or cannot be read
   */
  public LineFileCorpus(List<Path> files) {
    check(files);
    this.files = List.copyOf(files);
  }

  /**
   * Looks whether the files are there, without reading them.
   *
   * @throws UsageException if one is not
   */
  public static void check(List<Path> files) {
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new UsageException("no such file: " + file);
      }
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw new UsageException("not a readable file: " + file);
      }
    }
  }

  @Override
  public void forEach(Sink sink) throws IOException {
    for (Path file : files) {
      try (BufferedReader reader = open(file)) {
        read(file, reader, sink);
      } catch (MalformedInputException e) {
        throw new UsageException("not UTF-8: " + file, e);
      } catch (ZipException | EOFException e) {
        throw new UsageException("damaged gzip: " + file + ": " + e.getMessage(), e);
      }
    }
  }

  private static void read(Path file, BufferedReader reader, Sink sink) throws IOException {
    LineFormat format = new LineFormat(file.toString());
    long number = 0;
    long documents = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      LineDocument document = format.parse(line, ++number);
      if (document != null) {
        sink.accept(document);
        documents++;
      }
    }
    if (documents == 0) {
      throw new UsageException("no documents in " + file);
    }
  }

  private static BufferedReader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      in.mark(2);
      boolean gzip = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
      in.reset();
      return new BufferedReader(
          new InputStreamReader(
              gzip ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public String description() {
    return files.stream().map(f -> f.getFileName().toString()).collect(Collectors.joining(", "));
  }

  @Override
  public String fingerprint() throws IOException {
    StringBuilder print = new StringBuilder("lines");
    for (Path file : files) {
      print.append(' ').append(file.toRealPath());
      print.append(' ').append(Files.size(file));
      print.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }
    return print.toString();
  }
}
