// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads Lucene, this library and the queries once more, for one contender. The JIT compiler
 * profiles and compiles methods by class, so code that a contender runs is shaped by its own
 * directory alone, as in an application; of the JDK's classes there is one copy.
 */
final class ContenderLoader extends URLClassLoader {
  private static final String SHARED = Contender.class.getName();

  private ContenderLoader(URL[] classPath) {
    super(classPath, ClassLoader.getPlatformClassLoader());
  }

  /**
   * A loader with this JVM's class path.
   *
   * @param before class path entries in front of it; may be empty
   */
  static ContenderLoader create(String before) throws IOException {
    String all = before + File.pathSeparator + System.getProperty("java.class.path");
    List<URL> urls = new ArrayList<>();
    for (String entry : all.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new ContenderLoader(urls.toArray(URL[]::new));
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return name.equals(SHARED) ? Contender.class : super.findClass(name);
  }
}
