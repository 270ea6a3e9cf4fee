package io.github.lucenedirectories.benchmarks.results;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The facts of an environment, those within others named by both: {@code plan.forks}. */
public final class Facts {
  private static final String LABEL = "label";

  private Facts() {}

  /** Names and values in the order of the environment, as a reader sees them. */
  public static Map<String, String> of(Map<String, Object> environment) {
    Map<String, String> facts = new LinkedHashMap<>();
    add(facts, "", environment);
    return facts;
  }

  private static void add(Map<String, String> facts, String prefix, Map<?, ?> values) {
    values.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner) {
            add(facts, prefix + name + ".", inner);
          } else {
            facts.put(prefix + name, text(value));
          }
        });
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream()
            .map(v -> v instanceof Map<?, ?> map && map.containsKey(LABEL) ? map.get(LABEL) : v)
            .map(String::valueOf)
            .collect(Collectors.joining(list.stream().anyMatch(Map.class::isInstance) ? ", " : " "))
        : String.valueOf(value);
  }
}
