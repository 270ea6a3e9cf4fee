package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MicroTableTest {
  private static final long SEED = 1;

  @Test
  void speedIsTheBaselinesTimeOverTheDirectorys() {
    List<String> lines =
        new MicroTable(
                List.of(
                    read("RamDirectory", 2, 2, 2),
                    read("MMapDirectory", 3, 3, 3),
                    read("NIOFSDirectory", 1500, 1500, 1500)),
                3,
                SEED)
            .lines();
    assertLinesMatch(
        List.of(
            "",
            "RandomReads.readLong fileBytes=64m +ns/op +speed to MMapDirectory",
            "  RamDirectory +2\\.00 +1\\.50 +\\[1\\.50, 1\\.50\\]",
            "  MMapDirectory +3\\.00",
            "  NIOFSDirectory +1,500 +0\\.0020 +\\[0\\.0020, 0\\.0020\\]"),
        lines);
  }

  @Test
  void oneForkGivesNoInterval() {
    List<String> lines =
        new MicroTable(List.of(read("RamDirectory", 2), read("MMapDirectory", 3)), 1, SEED).lines();
    assertLinesMatch(List.of("  RamDirectory +2\\.00 +1\\.50"), lines.subList(2, 3));
  }

  @Test
  void withoutTheBaselineThereIsNoSpeed() {
    List<String> lines = new MicroTable(List.of(read("RamDirectory", 2)), 1, SEED).lines();
    assertLinesMatch(
        List.of("", "RandomReads.readLong fileBytes=64m +ns/op", "  RamDirectory +2\\.00"), lines);
  }

  @Test
  void mixedIsComparedWithAlone() {
    List<String> lines =
        new MicroTable(List.of(mixed("alone", 1), mixed("mixed", 4)), 1, SEED).lines();
    assertLinesMatch(
        List.of(
            "",
            "MixedDirectories.vInt pair=ours +ns/op +speed to alone",
            "  alone +1\\.00",
            "  mixed +4\\.00 +0\\.25"),
        lines);
  }

  @Test
  void sampledTimesHaveTheirSlowestBesideThem() {
    Measurement sampled =
        new Measurement(
            "OpenAndClose.open",
            Map.of("directory", "MMapDirectory"),
            "us/op",
            List.of(10.0, 12.0),
            List.of(100.0, 300.0));
    List<String> lines = new MicroTable(List.of(sampled), 2, SEED).lines();
    assertEquals("  MMapDirectory     11.0  200", lines.get(2));
  }

  private static Measurement read(String directory, double... times) {
    return measurement("RandomReads.readLong", "directory", directory, "fileBytes", "64m", times);
  }

  private static Measurement mixed(String company, double... times) {
    return measurement("MixedDirectories.vInt", "company", company, "pair", "ours", times);
  }

  private static Measurement measurement(
      String benchmark, String name, String value, String name2, String value2, double... times) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put(name, value);
    parameters.put(name2, value2);
    return new Measurement(
        benchmark, parameters, "ns/op", Arrays.stream(times).boxed().toList(), List.of());
  }
}
