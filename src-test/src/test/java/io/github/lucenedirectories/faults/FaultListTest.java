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
import java.util.Set;

/** Lists of faults: their format, and that each fault can still be planted. */
public class FaultListTest extends LibraryTestCase {

  private static final String TWO =
      """
      #! A comment.

      ### one What it does.
      tests: ATest BTest#testB
      mode: no-native
      harmless: nobody sees it
      at: A.Nested.method
           kept();
      -    b();
      at: B.B
       c();
      +
      +d();

      ### two What else it does.
      tests: ATest
      at: A.method
      -    b();
      +    e();
      """;

  private static final String A =
      """
      package p;

      class A {
        int b = 1;

        void method() {
          b();
        }

        void method(int twice) {
          a();
          a();
        }

        static class Nested {
          void method() {
            b();
          }
        }
      }
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
            List.of(
                new Fault.Edit(
                    "A.Nested.method", List.of("    kept();", "    b();"), List.of("    kept();")),
                new Fault.Edit("B.B", List.of("c();"), List.of("c();", "", "d();"))));
    assertEquals(one, faults.get(0));
    assertEquals(
        List.of(new Fault.Edit("A.method", List.of("    b();"), List.of("    e();"))),
        faults.get(1).edits());
    assertEquals(2, faults.size());
  }

  /** What stands before the first fault is that of those that do not say otherwise. */
  public void testCommon() throws IOException {
    String list = "mode: vector\ntests: CTest\n" + TWO.replace("tests: ATest\n", "");
    List<Fault> faults = Fault.parse("area", list);
    assertEquals(Fault.parse("area", TWO).get(0), faults.get(0));
    assertEquals(List.of("CTest"), faults.get(1).tests());
    assertEquals("vector", faults.get(1).mode());
    assertEquals(2, faults.size());
  }

  /** A list that lacks any one of these lines is refused. */
  public void testRefused() {
    for (String line :
        List.of("### one .*", "at: A.Nes.*", "tests: ATest B.*", "-    b..;\n\\+.*", " c..;")) {
      String without = TWO.replaceFirst("(?m)^" + line + "\n", "");
      assertNotEquals(TWO, without);
      expectThrows(IOException.class, line, () -> Fault.parse("area", without));
    }
    String unknown = TWO.replace("no-native", "native");
    expectThrows(IOException.class, () -> Fault.parse("area", unknown));
  }

  /** What changes elsewhere in the file makes no difference; what changes in the method does. */
  public void testPlanted() throws IOException {
    assertEquals(
        A.replaceFirst("    b..;", "    e();"), planted(A, "A.method", "-    b();", "+    e();"));
    assertEquals(A.replace("      b();\n", ""), planted(A, "A.Nested.method", "-b();"));
    assertEquals(A.replace("= 1", "= 2"), planted(A, "A.b", "-  int b = 1;", "+  int b = 2;"));
    assertEquals("import q.C;\n" + A, planted(A, "A", "+import q.C;", " package p;"));
    String constructor = "class A {\n  A() {\n    a();\n  }\n}";
    assertEquals(constructor.replace("    a();\n", ""), planted(constructor, "A.A", "-    a();"));
    for (String[] stale :
        new String[][] {
          {"A.method", "-    c();"},
          {"A.method", "-    a();"},
          {"A.Nested", "-  int b = 1;"},
          {"A.other", "-    b();"},
          {"B.method", "-    b();"}
        }) {
      expectThrows(IOException.class, stale[0], () -> planted(A, stale[0], stale[1]));
    }
  }

  /** The source with the change of one place. */
  private static String planted(String source, String at, String... diff) throws IOException {
    Path root = createTempDir();
    Path file = root.resolve("module/src/main/java/p/A.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    String list = "### one What.\ntests: ATest\nat: " + at + "\n" + String.join("\n", diff);
    Map<String, String> changed = Fault.parse("area", list).get(0).mutate(new Sources(root));
    assertEquals(Set.of("module/src/main/java/p/A.java"), changed.keySet());
    return changed.values().iterator().next();
  }

  /** The faults of this project fit its sources and tests as they are today. */
  public void testListsAreUpToDate() throws IOException {
    Path root = Project.root();
    Sources sources = new Sources(root);
    Map<String, String> tests = FaultRunner.testClasses(root);
    List<String> stale = new ArrayList<>();
    for (Fault fault : Fault.ofProject(root, sources)) {
      try {
        fault.mutate(sources);
      } catch (IOException e) {
        stale.add(fault.id() + ": " + e);
      }
      fault.tests().stream()
          .filter(test -> !FaultRunner.isTest(tests, test))
          .forEach(test -> stale.add(fault.id() + ": no such test: " + test));
    }
    assertEquals(String.join("\n", stale), List.of(), stale);
  }

  /** Methods are found whatever the runner adds to their names. */
  public void testMethods() {
    for (String added : List.of("", "()", "[NioDirectory]", " {p0=1}", "(int)[1]")) {
      assertTrue(added, FirstFailure.isMethod("testReads" + added, "testReads"));
      assertFalse(added, FirstFailure.isMethod("testReadsMore" + added, "testReads"));
      assertFalse(added, FirstFailure.isMethod("testReads" + added, "testReadsMore"));
    }
  }
}
