package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.lucenedirectories.benchmarks.console.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final List<String> COLUMNS = List.of("a", "b", "c", "d", "e");
  private static final int ROUNDS = 6;
  private static final long SEED = 42;

  private final List<String> told = new ArrayList<>();

  private final class Told implements Progress {
    @Override
    public void note(String what) {}

    @Override
    public void start(String unit, int steps) {
      told.add("start " + steps + " " + unit);
    }

    @Override
    public void step(String what) {
      told.add(what);
    }

    @Override
    public void stepDone() {
      told.add("done");
    }

    @Override
    public void close() {}
  }

  @Test
  void eachRoundHasEveryColumnOnceInAnOrderOfItsOwn() throws IOException {
    List<String> ran = new ArrayList<>();
    Map<String, List<Long>> samples =
        new Rounds<String, Long>(COLUMNS, c -> "column " + c, new Told())
            .run(
                ROUNDS,
                SEED,
                (column, seed) -> {
                  ran.add(column);
                  return seed;
                });
    assertEquals(COLUMNS, ran.subList(0, COLUMNS.size()), "the first round is in the given order");
    Set<List<String>> orders = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> order = ran.subList(round * COLUMNS.size(), (round + 1) * COLUMNS.size());
      assertEquals(Set.copyOf(COLUMNS), Set.copyOf(order));
      orders.add(order);
    }
    assertNotEquals(1, orders.size());
    for (String column : COLUMNS) {
      assertEquals(List.of(43L, 44L, 45L, 46L, 47L, 48L), samples.get(column));
    }
    assertEquals(List.of("start 30 forks", "column a", "done", "column b"), told.subList(0, 4));
  }
}
