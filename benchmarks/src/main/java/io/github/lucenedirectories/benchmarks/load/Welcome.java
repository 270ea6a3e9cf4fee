package io.github.lucenedirectories.benchmarks.load;

import java.util.List;
import java.util.Map;

/**
 * What a server tells a client first.
 *
 * @param label of its column
 * @param summary of the index
 * @param queries how many there are
 * @param kinds of these
 * @param environment the server's machine and software
 */
record Welcome(
    String label,
    String summary,
    int queries,
    List<String> kinds,
    LoadPlan.Live live,
    Map<String, Object> environment) {}
