package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.search.Answers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The hits of the first fork, which is the baseline's, that every other fork must have too. */
public final class SameHits {
  private @Nullable HitsCheck check;

  /**
   * Takes or checks what a fork has written, and deletes it.
   *
   * @param column the fork's
   * @throws RunFailedException at the first difference, saying where it is and what it is
   */
  public void check(String column, Path answers) throws IOException {
    Answers found = Answers.read(answers);
    if (check == null) {
      check = new HitsCheck(column, found);
    }
    check.check(column, found);
    Files.delete(answers);
  }
}
