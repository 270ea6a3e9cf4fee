// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The pipeline from the plan to the files, on a workload that starts no JVM. */
class HarnessTest {
  private static final int FORKS = 6;
  private static final Map<String, Double> SPEEDS =
      Map.of("A", 100.0, "A (again)", 100.0, "B", 200.0);

  @TempDir private Path folder;

  record Samples(double speed) {}

  /** Each column has a speed that rises from round to round. */
  @Command(name = "fake")
  static final class Fake extends Workload<Samples> {
    private final transient List<String> measured = new ArrayList<>();
    private final transient Map<Long, Integer> seeds = new HashMap<>();
    private final transient List<Path> scratch = new ArrayList<>();

    @SuppressWarnings("unused") // travels to forks and into the results
    private int size = 7;

    @Override
    public Plan plan(Host host) {
      Column a = new Column("A", "a", Map.of());
      Column b = new Column("B", "b", Map.of());
      return new Plan(
          Column.compared(a, List.of(b, b)),
          List.of("A"),
          List.of(),
          FORKS,
          JvmFlags.forWriting(1 << 28, JvmFlags.Collector.SERIAL),
          "Fake",
          List.of("A note."),
          Map.of("fact", "found"),
          List.of());
    }

    @Override
    public Samples run(Column column, Fork fork) {
      throw new AssertionError("runs in a child");
    }

    @Override
    public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
      measured.add(column.label());
      seeds.merge(seed, 1, Integer::sum);
      int round = seeds.size();
      scratch.add(Files.createDirectories(host.scratch()));
      assertEquals(0, host.scratch().toFile().list().length, "each fork has an empty folder");
      Files.writeString(host.scratch().resolve("file"), "left behind");
      return new Samples(Objects.requireNonNull(SPEEDS.get(column.label())) * (1 + 0.1 * round));
    }

    @Override
    public List<Figures<Samples>> figures(Plan plan) {
      return List.of(
          new Figures<>(
              "Speed",
              "How fast.",
              true,
              false,
              List.of(new Figure<>("speed", "speed", "/s", Better.HIGHER, Samples::speed))));
    }
  }

  private String call(Fake fake, String... more) {
    StringWriter out = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("--out", folder.toString()));
    arguments.addAll(List.of(more));
    int status =
        new CommandLine(fake)
            .setOut(new PrintWriter(out))
            .execute(arguments.toArray(String[]::new));
    assertEquals(0, status);
    return out.toString();
  }

  @Test
  void everyColumnIsMeasuredInEveryRound() throws IOException {
    Fake fake = new Fake();
    String out = call(fake);
    assertEquals(3 * FORKS, fake.measured.size());
    assertEquals(SPEEDS.keySet().stream().sorted().toList(), fake.measured.subList(0, 3));
    Set<List<String>> orders = new HashSet<>();
    for (int round = 0; round < FORKS; round++) {
      List<String> order = fake.measured.subList(3 * round, 3 * round + 3);
      assertEquals(SPEEDS.keySet(), Set.copyOf(order));
      orders.add(order);
      assertEquals(3, fake.seeds.get(43L + round), "one seed a round");
    }
    assertNotEquals(1, orders.size(), "each round has an order of its own");
    assertFalse(Files.exists(fake.scratch.get(0)));
    Results results = Results.read(folder.resolve(Results.FILE));
    assertEquals(List.of("A", "A (again)", "B"), results.directories());
    assertEquals(
        List.of(220.0, 240.0, 260.0, 280.0, 300.0, 320.0),
        results.result("B", "speed").orElseThrow().samples());
    assertEquals(2, results.ratio("B", "A", "speed").orElseThrow().ratio(), 1e-9);
    assertEquals("found", results.environment().get("fact"));
    Map<?, ?> plan = (Map<?, ?>) Objects.requireNonNull(results.environment().get("plan"));
    assertEquals(7, plan.get("size"));
    assertEquals(42, results.environment().get("seed"));
    assertTrue(out.contains("\nspeed of B / A: 2.00 (2.00), faster.\n"), out);
    assertTrue(out.endsWith("Written: " + folder.resolve("report.html") + "\n"), out);
    assertTrue(
        Files.readString(folder.resolve("report.html"))
            .contains("speed of B &#x2F; A: 2.00 (2.00), faster."));
  }

  @Test
  void jsonIsAllThatIsPrinted() throws IOException {
    String out = call(new Fake(), "--json");
    assertEquals(
        new ObjectMapper().readTree(folder.resolve(Results.FILE).toFile()),
        new ObjectMapper().readTree(out));
  }
}
