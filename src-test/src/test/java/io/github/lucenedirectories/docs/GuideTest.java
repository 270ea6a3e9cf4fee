// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.docs;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.DirectoryTestKit;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import io.github.lucenedirectories.testkit.TestKitRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * The Java code of README, guide and javadoc compiles, runs in a folder with a small index, and
 * leaves nothing behind.
 */
@LuceneTestCase.SuppressFileSystems("*") // the code is for real files
public class GuideTest extends LibraryTestCase {

  private static final String IMPORTS =
      """
      import io.github.lucenedirectories.*;
      import io.github.lucenedirectories.cache.*;
      import io.github.lucenedirectories.metrics.*;
      import io.github.lucenedirectories.mmap.*;
      import io.github.lucenedirectories.nio.*;
      import io.github.lucenedirectories.pmem.*;
      import io.github.lucenedirectories.ram.*;
      import io.github.lucenedirectories.vectors.*;
      import io.github.lucenedirectories.testkit.*;
      import io.github.lucenedirectories.uri.*;
      import io.github.lucenedirectories.warm.*;
      import java.io.*;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.*;
      import java.util.concurrent.*;
      import org.apache.lucene.document.*;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.*;
      import org.apache.lucene.store.*;
      import org.apache.lucene.util.*;
      """;

  /** The code by the names of its classes, which are of the page and the line, or of the class. */
  private final Map<String, String> sources = new TreeMap<>();

  private void add(String place, String code) {
    Matcher whole = Pattern.compile("(?m)^public class (\\w+)").matcher(code);
    if (whole.find()) {
      sources.put(whole.group(1), IMPORTS + code);
      return;
    }
    String name = place.replaceAll("\\W", "_");
    String method = "static void run(Path path, Path folder) throws Exception {\n" + code + "\n}\n";
    sources.put(name, IMPORTS + "class " + name + " {\n" + method + "}\n");
  }

  public void testEveryBlock() throws Exception {
    Path root = Project.root();
    List<Page> pages = new ArrayList<>(Page.in(root, "docs/guide"));
    pages.add(Page.read(root, "README.md"));
    for (Page page : pages) {
      for (Page.Block block : page.blocks()) {
        if (block.language().equals("java")) {
          add(page.file() + "_" + block.line(), block.code());
        }
      }
    }
    for (Page.Block example : Page.examples()) {
      add(example.language() + "_" + example.line(), example.code());
    }
    Path classes = createTempDir();
    compile(classes);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      for (String name : sources.keySet()) {
        run(loader.loadClass(name));
      }
    }
  }

  private void compile(Path folder) throws IOException {
    String path = System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(List.of("-proc:none", "-d", folder.toString(), "-classpath", path));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve(source.getKey() + ".java");
      command.add(Files.writeString(file, source.getValue()).toString());
    }
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    int status =
        ToolProvider.findFirst("javac").orElseThrow().run(out, out, command.toArray(String[]::new));
    assertEquals(messages.toString(), 0, status);
  }

  private static void run(Class<?> block) throws Exception {
    if (DirectoryTestKit.class.isAssignableFrom(block)) {
      assertTrue("suites", new TestKitRunner(block).testCount() > 50);
      return;
    }
    Path index = createTempDir();
    try (MappedDirectory directory = new MappedDirectory(index);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      Document document = new Document();
      document.add(new TextField("body", "typical words", Field.Store.YES));
      writer.addDocument(document);
    }
    try {
      var run = block.getDeclaredMethod("run", Path.class, Path.class);
      run.setAccessible(true);
      run.invoke(null, index, createTempDir());
    } catch (InvocationTargetException e) {
      throw new AssertionError(block.getName(), e.getCause());
    }
  }
}
