package io.github.lucenedirectories.benchmarks.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The JSON of this workload: what client and server tell each other, and what is kept of a run. */
final class LoadJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectMapper FILES =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private LoadJson() {}

  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static <T> T read(String text, Class<T> type) throws IOException {
    return MAPPER.readValue(text, type);
  }

  /** The tree that a file with the value has. */
  static JsonNode tree(Object value) throws IOException {
    return MAPPER.readTree(text(value));
  }

  static <T> T readFile(Path file, Class<T> type) throws IOException {
    return MAPPER.readValue(file.toFile(), type);
  }

  /** Writes a file that is there as a whole or not at all. */
  static void writeFile(Path file, Object value) throws IOException {
    Path partial = file.resolveSibling("." + file.getFileName());
    FILES.writeValue(partial.toFile(), value);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
