// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.results.MadeUp;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Changes the results of a run and draws them. Jazzer calls the public methods. */
public final class ReportFuzz {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What takes the place of other values. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "[]",
          "{}",
          "[null]",
          "\"\"",
          "\"\\ud800\\n\"",
          "true",
          "false",
          "-1",
          "1e-320",
          "1e999",
          "9".repeat(999),
          "[".repeat(990) + "]".repeat(990));

  private static @Nullable ReportFuzz fuzzed;

  private final CommandLine commands = Main.commands();
  private final Path work;
  private final Path valid;
  private final JsonNode tree;
  private final List<JsonPointer> places;

  ReportFuzz(Path work) throws IOException {
    this.work = Files.createDirectories(work);
    valid = work.resolve("valid.json");
    Results made = new MadeUp(2, 0.01).timesAlone().control().column("Ram", 1, 0.8).results();
    new Results(
            made.version(),
            made.verdict(),
            List.of("A hint."),
            made.environment(),
            made.results(),
            made.ratios(),
            made.ratios(),
            List.of(new Results.Skipped("Kind1", 1, "no such field")),
            List.of(new Results.Table("t", "n", List.of("a"), List.of(List.of("b")))),
            made.page())
        .write(valid);
    // The file is a member, so that all of it can be replaced too.
    tree = MAPPER.createObjectNode().set("file", MAPPER.readTree(valid.toFile()));
    Set<JsonPointer> found = new LinkedHashSet<>();
    try (JsonParser parser = tree.traverse()) {
      while (parser.nextToken() != null) {
        found.add(parser.getParsingContext().pathAsPointer());
      }
    }
    found.remove(JsonPointer.empty());
    places = new ArrayList<>(found);
  }

  /** The last arguments are the folder for work, and the corpus. */
  public static void fuzzerInitialize(String[] arguments) throws IOException {
    fuzzed = new ReportFuzz(Path.of(arguments[2]));
    // Four changes that change nothing.
    Files.write(Path.of(arguments[3], "seed"), new byte[21]);
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Objects.requireNonNull(fuzzed).run(input);
  }

  /**
   * Runs an input: a choice, changes of five bytes each, and what is written over the file's bytes;
   * if there is only a place, the file ends there.
   */
  void run(byte[] input) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(input);
    int choice = in.hasRemaining() ? in.get() : 0;
    JsonNode changed = tree.deepCopy();
    while (in.remaining() >= 5) {
      change(changed, in);
    }
    boolean compressed = (choice & 1) != 0;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream json = compressed ? new GZIPOutputStream(out) : out) {
      json.write(MAPPER.writeValueAsBytes(changed.path("file")));
    }
    byte[] bytes = out.toByteArray();
    if (in.remaining() >= 2) {
      int at = Short.toUnsignedInt(in.getShort()) % bytes.length;
      bytes = in.hasRemaining() ? bytes : Arrays.copyOf(bytes, at);
      in.get(bytes, at, Math.min(in.remaining(), bytes.length - at));
    }
    String file = work.resolve("results.json" + (compressed ? ".gz" : "")).toString();
    Files.write(Path.of(file), bytes);
    List<String> words = new ArrayList<>(List.of("report", "--out", work + "/page", file));
    if ((choice & 2) != 0) {
      words.add(3 + (choice & 4) / 4, valid.toString());
    }
    if ((choice & 8) != 0) {
      words.add("--json");
    }
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    commands.setOut(new PrintWriter(output)).setErr(new PrintWriter(errors));
    int status = commands.execute(words.toArray(String[]::new));
    String error = errors.toString();
    boolean refused =
        error.lines().count() == 1 && (error.contains(file) || error.startsWith("these are runs"));
    if (status != (refused ? 2 : 0) || refused != output.toString().isEmpty()) {
      throw new AssertionError(status + ": " + error);
    }
  }

  /** A place, and whether it is left out, copied from another place, or has one of the values. */
  private void change(JsonNode changed, ByteBuffer in) {
    JsonPointer place = place(in);
    int what = Byte.toUnsignedInt(in.get()) % (VALUES.size() + 2) - 2;
    JsonNode other = tree.at(place(in)).deepCopy();
    if (what >= 0) {
      other = MAPPER.getNodeFactory().rawValueNode(new RawValue(VALUES.get(what)));
    }
    JsonNode parent = changed.at(place.head());
    int index = place.last().getMatchingIndex();
    if (parent instanceof ObjectNode object) {
      object.set(place.last().getMatchingProperty(), other);
      if (what == -1) {
        object.remove(place.last().getMatchingProperty());
      }
    } else if (parent instanceof ArrayNode array && array.has(index)) {
      array.set(index, other);
      if (what == -1) {
        array.remove(index);
      }
    }
  }

  private JsonPointer place(ByteBuffer in) {
    return places.get(Short.toUnsignedInt(in.getShort()) % places.size());
  }
}
