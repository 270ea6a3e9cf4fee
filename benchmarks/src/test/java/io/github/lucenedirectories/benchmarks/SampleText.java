// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Made-up documents with frequent and rare words, always the same, and an index of them. */
public final class SampleText {
  private static final long SEED = 5;
  private static final int WORDS = 17_000;
  private static final int WORDS_A_DOCUMENT = 60;

  private SampleText() {}

  /** Writes a line file. */
  public static Path lineFile(Path file, int documents) throws IOException {
    Random random = new Random(SEED);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      StringBuilder body = new StringBuilder();
      for (int j = 0; j < WORDS_A_DOCUMENT; j++) {
        // A power, so that low numbers are frequent and most are rare.
        body.append(word((int) (Math.pow(random.nextDouble(), 6) * WORDS))).append(' ');
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "Title %d\t%02d-MAR-2011 %02d:10:%02d.000\t%s",
              i,
              1 + i % 28,
              i % 24,
              i % 60,
              body));
    }
    return Files.write(file, lines);
  }

  /** Builds an index of a line file's documents. */
  public static Path index(Path lineFile, Path folder) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      new IndexBuilder().build(new Corpus(List.of(lineFile.toString()), 1), directory);
    }
    return folder;
  }

  /** Letters only, and enough of them to be fuzzy: a number in base 26. */
  private static String word(int number) {
    return "wo" + letter(number) + letter(number / 26) + letter(number / 26 / 26) + "rd";
  }

  private static char letter(int number) {
    return (char) ('a' + number % 26);
  }

  /** Names, lengths and times of the folder and all in it. */
  public static Map<String, String> state(Path folder) throws IOException {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        state.put(
            file.getFileName().toString(),
            Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    if (!state.isEmpty()) {
      state.put(".", String.valueOf(Files.getLastModifiedTime(folder)));
    }
    return state;
  }

  /** The contents of all files of a folder but locks. */
  public static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : state(folder).keySet()) {
      if (!name.equals(".") && !name.endsWith(".lock")) {
        files.put(name, Files.readAllBytes(folder.resolve(name)));
      }
    }
    return files;
  }
}
