package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

  @Test
  void whatATraceSaysIsNotLostBehindIt() {
    List<String> lines = new ArrayList<>(List.of("java.io.IOException: outer"));
    lines.addAll(Collections.nCopies(30, "\tat a.B.c(B.java:1)"));
    lines.add("Caused by: java.lang.OutOfMemoryError: Java heap space");
    lines.addAll(Collections.nCopies(40, "\tat d.E.f(E.java:2)"));
    assertEquals(
        List.of(
            "java.io.IOException: outer",
            "\tat a.B.c(B.java:1)",
            "\tat a.B.c(B.java:1)",
            "\tat a.B.c(B.java:1)",
            "Caused by: java.lang.OutOfMemoryError: Java heap space",
            "\tat d.E.f(E.java:2)",
            "\tat d.E.f(E.java:2)",
            "\tat d.E.f(E.java:2)"),
        ChildJvm.shortened(lines));
  }
}
