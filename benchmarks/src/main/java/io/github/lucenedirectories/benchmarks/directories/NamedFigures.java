package io.github.lucenedirectories.benchmarks.directories;

import java.util.Map;

/** A directory that tells figures of its own, such as the hit rate of its cache. */
public interface NamedFigures {

  /** What was counted since the last call, by name; then it begins again. */
  Map<String, Double> takeFigures();
}
