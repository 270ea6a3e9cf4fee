// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.structure;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * What users can name is what {@code docs/api.txt} lists: the public types of the exported packages
 * and their members, as {@code javap} prints them.
 */
public class ApiTest extends LibraryTestCase {

  private static final String ROOT = "io.github.lucenedirectories.";

  /** The name of the system property that has the list written in place of compared. */
  private static final String UPDATE = "testkit.api.update";

  public void testListed() throws Exception {
    List<String> command =
        new ArrayList<>(List.of("-protected", "-cp", System.getProperty("java.class.path")));
    for (Path source : Project.sources()) {
      String name = Project.className(source);
      if (!name.startsWith(ROOT + "internal.")) {
        // Not initialized: some constants need native access.
        Stream.of(Class.forName(name, false, ApiTest.class.getClassLoader()).getNestMembers())
            .filter(ApiTest::isVisible)
            .forEach(type -> command.add(type.getName()));
      }
    }
    StringWriter api = new StringWriter();
    PrintWriter out = new PrintWriter(api);
    ToolProvider.findFirst("javap").orElseThrow().run(out, out, command.toArray(String[]::new));
    String actual =
        api.toString()
            .replaceAll("Compiled from .*\n", "")
            .replace(ROOT, "")
            .replaceAll("\\b(java|org)\\.([a-z]\\w*\\.)*", "");
    Path file = Project.root().resolve("docs/api.txt");
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(file, actual);
    }
    assertEquals(
        "the public API has changed. If that is intended, run ./run test -Dtest=ApiTest -D"
            + UPDATE
            + "=true and commit docs/api.txt",
        Files.readString(file),
        actual);
  }

  /** Whether a type and those around it are public. */
  private static boolean isVisible(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getEnclosingClass)
        .allMatch(each -> Modifier.isPublic(each.getModifiers()));
  }
}
