package io.github.lucenedirectories.benchmarks.commit;

import java.util.Map;

/**
 * What this machine does not allow.
 *
 * @param refusals why, by the label of the column
 */
record Probed(Map<String, String> refusals) {}
