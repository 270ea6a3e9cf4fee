package io.github.lucenedirectories.benchmarks.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a run's page shows its figures: with them, all that it takes to draw the page again.
 *
 * @param notes what was measured and how, and what has to be said to it, a paragraph each
 * @param references labels of what every directory is compared with, the baseline first
 */
public record Presentation(
    String title, List<String> notes, List<String> references, List<Group> groups) {

  static final Presentation NONE = new Presentation("", List.of(), List.of(), List.of());

  public Presentation {
    notes = List.copyOf(notes);
    references = List.copyOf(references);
    groups = List.copyOf(groups);
  }

  /** The directory that all others are compared with; empty if there is none. */
  public String baseline() {
    return references.isEmpty() ? "" : references.getFirst();
  }

  /** The column that measured the baseline a second time. */
  public String control() {
    return Results.controlOf(baseline());
  }

  /**
   * Figures that are shown together.
   *
   * @param charted whether there are charts of their ratios, and not the table alone
   * @param summed whether a table and a chart have a line for each figure, as kinds of query do;
   *     else for each directory
   */
  public record Group(
      String title, String meaning, boolean charted, boolean summed, List<Shown> figures) {

    public Group {
      figures = List.copyOf(figures);
    }

    /** Those that directories are compared by. */
    public Stream<Shown> compared() {
      return figures.stream().filter(Shown::isCompared);
    }
  }

  public record Shown(String task, String heading, String unit, Better better) {

    @JsonIgnore
    public boolean isCompared() {
      return better != Better.NEITHER;
    }
  }
}
