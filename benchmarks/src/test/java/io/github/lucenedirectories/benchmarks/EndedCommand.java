// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command as a user types it, after its end. */
public record EndedCommand(int status, String out, String err) {

  /** Runs a command with {@code --out}, forks included. */
  public static EndedCommand run(String name, Path outFolder, String... arguments) {
    List<String> all = new ArrayList<>(List.of(name));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--out", outFolder.toString()));
    return typed(all.toArray());
  }

  /** Runs a command line. */
  public static EndedCommand typed(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.commands()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(Stream.of(words).map(Object::toString).toArray(String[]::new));
    return new EndedCommand(status, out.toString(), err.toString());
  }

  /** Asserts that it refused its input with one line and nothing else. */
  public void assertRefused(String message) {
    assertEquals(message, err.strip());
    assertEquals(1, err.strip().lines().count());
    assertEquals(2, status);
    assertEquals("", out);
  }

  /** Asserts that it ran to its end without a word of complaint. */
  public void assertDone() {
    assertEquals("", err);
    assertEquals(0, status);
  }

  /** What runs have in the system's temporary folder at the moment. */
  public static Set<String> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.startsWith("lucene-directories-") || f.startsWith("hs_err"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
