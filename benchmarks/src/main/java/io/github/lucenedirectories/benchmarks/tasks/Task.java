package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.List;

/** One query of one kind, prepared once and run many times; it may be run by several threads. */
public interface Task {

  /**
   * Does the work, all that is timed.
   *
   * @return a number that depends on what was found, so that no part of the work can be left out
   */
  long run(SearchContext context) throws IOException;

  /** Does the same work and tells all that was found; not timed. */
  Answer answer(SearchContext context) throws IOException;

  /** What the index must have for this task to mean something. */
  List<FieldNeed> needs();
}
