package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The one JSON mapper of messages between a fork and its parent. */
final class Json {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}
}
