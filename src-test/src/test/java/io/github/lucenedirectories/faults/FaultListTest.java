// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists of faults: their format, and that each fault can still be planted. */
public class FaultListTest extends LibraryTestCase {

  private static final String TWO =
      """
      #! A comment.

      ### one What it does.
      file: A.java
      tests: ATest BTest#testB
      mode: no-native
      harmless: nobody sees it
      <<<<
        a

      b
      ====
      >>>>
      file: B.java
      <<<<
      ### c
      ====
      d
      >>>>

      ### two What else it does.
      file: A.java
      tests: ATest
      <<<<
      a
      ====
      e
      >>>>
      """;

  public void testFormat() throws IOException {
    List<Fault> faults = Fault.parse("area", TWO);
    Fault one =
        new Fault(
            "area",
            "one",
            "What it does.",
            List.of("ATest", "BTest#testB"),
            "no-native",
            Fault.Verdict.HARMLESS,
            Map.of(
                "A.java", List.of(new Fault.Edit("  a\n\nb", "")),
                "B.java", List.of(new Fault.Edit("### c", "d"))));
    assertEquals(one, faults.get(0));
    assertEquals(List.of(new Fault.Edit("a", "e")), faults.get(1).files().get("A.java"));
    assertEquals(2, faults.size());
  }

  /** A list that lacks any one of these lines is refused. */
  public void testRefused() {
    for (String line :
        List.of("### one .*", "file: A.*", "tests: ATest B.*", "====", ">>>>", "  a\n\nb")) {
      String without = TWO.replaceFirst("(?m)^" + line + "\n", "");
      assertNotEquals(TWO, without);
      expectThrows(IOException.class, line, () -> Fault.parse("area", without));
    }
    String unknown = TWO.replace("no-native", "native");
    expectThrows(IOException.class, () -> Fault.parse("area", unknown));
  }

  public void testPlanted() throws IOException {
    Path root = createTempDir();
    Fault fault = Fault.parse("area", TWO).get(1);
    Files.writeString(root.resolve("A.java"), "bac");
    assertEquals(Map.of("A.java", "bec"), fault.mutate(root));
    for (String source : List.of("bc", "baac")) {
      Files.writeString(root.resolve("A.java"), source);
      expectThrows(IOException.class, () -> fault.mutate(root));
    }
  }

  /** The faults of this project fit its sources and tests as they are today. */
  public void testListsAreUpToDate() throws IOException {
    Path root = Project.root();
    Map<String, String> tests = FaultRunner.testClasses(root);
    List<String> stale = new ArrayList<>();
    for (Fault fault : Fault.ofProject(root)) {
      try {
        fault.mutate(root);
      } catch (IOException e) {
        stale.add(fault.id() + ": " + e);
      }
      fault.tests().stream()
          .filter(test -> !FaultRunner.isTest(tests, test))
          .forEach(test -> stale.add(fault.id() + ": no such test: " + test));
    }
    assertEquals(String.join("\n", stale), List.of(), stale);
  }
}
