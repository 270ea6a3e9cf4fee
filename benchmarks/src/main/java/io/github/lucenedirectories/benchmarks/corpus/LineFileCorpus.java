package io.github.lucenedirectories.benchmarks.corpus;

import io.github.lucenedirectories.benchmarks.console.UsageException;
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
      try (InputStream raw = Files.newInputStream(file);
          InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
          BufferedReader reader =
              new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
        if (new LineFormat(file.toString()).readAll(reader, sink) == 0) {
          throw new UsageException("no documents in " + file);
        }
      } catch (MalformedInputException e) {
        throw new UsageException("not UTF-8: " + file, e);
      } catch (ZipException | EOFException e) {
        throw new UsageException("damaged gzip: " + file + ": " + e.getMessage(), e);
      }
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
