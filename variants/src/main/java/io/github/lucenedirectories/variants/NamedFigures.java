package io.github.lucenedirectories.variants;

import java.util.Map;

/** A directory that counts something of its own, such as the hit rate of its cache. */
public interface NamedFigures {

  /** What was counted since the last call, by name; then it begins again. */
  Map<String, Double> takeFigures();
}
