package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One line from a fork to its parent.
 *
 * @param data of the shape that the event's sender and receiver agree on
 */
record ForkMessage(String event, JsonNode data) {}
