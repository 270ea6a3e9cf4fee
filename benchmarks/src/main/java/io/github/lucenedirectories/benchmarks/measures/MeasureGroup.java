package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.results.Presentation;
import java.util.List;

/**
 * Figures that are shown together.
 *
 * @param title over their table and their charts
 * @param meaning what they are, in a sentence or two
 * @param place where they are shown
 */
public record MeasureGroup(String title, String meaning, Place place, List<Measure> measures) {

  /** Where a group is shown. */
  public enum Place {
    /** On the terminal, and on the page with charts. */
    EVERYWHERE,
    /** On the page, as a table. */
    PAGE
  }

  public MeasureGroup {
    measures = List.copyOf(measures);
  }

  /** The group as a page shows it. */
  public Presentation.Group presentation() {
    return new Presentation.Group(
        title,
        meaning,
        place == Place.EVERYWHERE,
        false,
        measures.stream().map(Measure::presentation).toList());
  }
}
