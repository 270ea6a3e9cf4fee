// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.stream.Stream;

/** All that it takes to draw a run's page again; the first of the references is the baseline. */
public record Presentation(
    String title, List<String> notes, List<String> references, List<FigureGroup> groups) {

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

  /** Figures that are shown together, as {@link Figures} says; older files say {@code charted}. */
  public record FigureGroup(
      String title,
      String meaning,
      @JsonAlias("charted") boolean onTerminal,
      boolean summed,
      List<Shown> figures) {

    public FigureGroup {
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
