package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the parent writes for a fork.
 *
 * @param input of the workload's own type
 * @param seed the same for all forks of a round
 * @param scratch a folder for the fork's files, on the disk of the results; the parent removes it
 */
record ForkInput(JsonNode input, Column column, long seed, String scratch) {}
