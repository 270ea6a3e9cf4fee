// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.structure;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The library's packages use each other in one direction, so there is no cycle. */
public class PackagesTest extends LibraryTestCase {

  private static final String ROOT = "io.github.lucenedirectories";

  /** From the lowest. A package may use those of the rows before its own, and of its row none. */
  private static final List<List<String>> LAYERS =
      List.of(
          List.of(""),
          List.of(".internal.os"),
          List.of(".internal.store"),
          List.of(".internal.file"),
          List.of(".internal.memory", ".nio", ".warm", ".metrics"),
          List.of(".mmap", ".ram", ".cache", ".pmem", ".vectors", ".micrometer"),
          List.of(
              ".internal.nio",
              ".internal.mmap",
              ".internal.ram",
              ".internal.cache",
              ".internal.pmem"));

  private static final Pattern TYPE =
      Pattern.compile("\\b" + Pattern.quote(ROOT) + "((?:\\.[a-z]\\w*)*)\\.[A-Z]");

  private static int layer(String name) {
    for (int i = 0; i < LAYERS.size(); i++) {
      if (LAYERS.get(i).contains(name)) {
        return i;
      }
    }
    throw new AssertionError("a package without a layer: " + ROOT + name);
  }

  public void testNoneUsesAHigherOne() throws IOException {
    List<String> upward = new ArrayList<>();
    TreeSet<String> found = new TreeSet<>();
    for (Path source : Project.sources()) {
      String text = Files.readString(source);
      Matcher declared = Pattern.compile("(?m)^package " + ROOT + "(.*);").matcher(text);
      assertTrue(source.toString(), declared.find());
      String from = declared.group(1);
      found.add(from);
      for (Matcher used = TYPE.matcher(text); used.find(); ) {
        String to = used.group(1);
        if (!to.equals(from) && layer(to) >= layer(from)) {
          upward.add(source.getFileName() + " in " + from + " uses " + to);
        }
      }
    }
    assertEquals(List.of(), upward);
    assertEquals(new TreeSet<>(LAYERS.stream().flatMap(List::stream).toList()), found);
  }
}
