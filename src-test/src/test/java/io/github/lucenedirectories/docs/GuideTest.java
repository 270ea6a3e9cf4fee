package io.github.lucenedirectories.docs;

import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
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
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * The Java code of README, guide and javadoc compiles, runs in a folder with a small index, and
 * leaves nothing behind.
 */
@RunWith(Parameterized.class)
public class GuideTest {

  private static final String IMPORTS =
      """
      import io.github.lucenedirectories.*;
      import io.github.lucenedirectories.mmap.*;
      import io.github.lucenedirectories.nio.*;
      import io.github.lucenedirectories.pmem.*;
      import io.github.lucenedirectories.ram.*;
      import java.io.*;
      import java.nio.file.Path;
      import java.util.*;
      import org.apache.lucene.document.*;
      import org.apache.lucene.index.*;
      import org.apache.lucene.search.*;
      import org.apache.lucene.store.*;
      import org.apache.lucene.util.*;
      """;

  @ClassRule public static final TemporaryFolder CLASSES = new TemporaryFolder();

  private static final Map<String, String> SOURCES = new TreeMap<>();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  private final String name;

  /** A test of one block. */
  public GuideTest(String name) {
    this.name = name;
  }

  /** The blocks' names: of the page and the line, or of the class. */
  @Parameterized.Parameters(name = "{0}")
  public static List<String> blocks() throws IOException {
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
    return List.copyOf(SOURCES.keySet());
  }

  private static void add(String place, String code) {
    String name = place.replaceAll("\\W", "_");
    String method = "static void run(Path path, Path folder) throws Exception {\n" + code + "\n}\n";
    SOURCES.put(name, IMPORTS + "class " + name + " {\n" + method + "}\n");
  }

  @BeforeClass
  public static void compile() throws IOException {
    List<Path> sources = new ArrayList<>();
    Path folder = CLASSES.getRoot().toPath();
    for (Map.Entry<String, String> source : SOURCES.entrySet()) {
      sources.add(Files.writeString(folder.resolve(source.getKey() + ".java"), source.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String path = System.getProperty("java.class.path");
    List<String> options = List.of("-proc:none", "-d", folder.toString(), "-classpath", path);
    StringWriter messages = new StringWriter();
    boolean compiled;
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjectsFromPaths(sources);
      compiled = compiler.getTask(messages, files, null, options, null, units).call();
    }
    assertTrue(messages.toString(), compiled);
  }

  @Test
  public void runs() throws Throwable {
    Path index = folder.newFolder("index").toPath();
    try (MappedDirectory directory = new MappedDirectory(index);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      Document document = new Document();
      document.add(new TextField("body", "typical words", Field.Store.YES));
      writer.addDocument(document);
    }
    URL[] classes = {CLASSES.getRoot().toURI().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes)) {
      var run = loader.loadClass(name).getDeclaredMethod("run", Path.class, Path.class);
      run.setAccessible(true);
      run.invoke(null, index, folder.newFolder("empty").toPath());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
