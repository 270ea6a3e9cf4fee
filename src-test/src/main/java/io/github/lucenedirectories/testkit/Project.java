// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The files of this project, for tests about its sources. */
public final class Project {

  private Project() {}

  /** The project's folder: the working directory or a folder above. */
  public static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("src-test/faults"))) {
        return at;
      }
    }
    throw new AssertionError("not run inside the project: " + Path.of("").toAbsolutePath());
  }

  /**
   * The sources of the library's classes, not of the test kit, module descriptors and descriptions
   * excepted.
   */
  public static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(root(), "directory-*")) {
      for (Path module : modules) {
        // Not the module's folder: tests that run meanwhile create and delete files in its target.
        Path main = module.resolve("src/main");
        if (module.endsWith("directory-testkit") || !Files.isDirectory(main)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(main)) {
          files
              .filter(file -> file.getFileName().toString().matches("[A-Z]\\w*\\.java"))
              .forEach(sources::add);
        }
      }
    }
    Collections.sort(sources);
    return sources;
  }

  /** The name of the class in a file of {@link #sources}. */
  public static String className(Path source) {
    String path = source.toString().replace('/', '.').replaceFirst("\\.java$", "");
    return path.substring(path.indexOf(".src.main.java.") + ".src.main.java.".length());
  }
}
