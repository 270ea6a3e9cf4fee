// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.docs;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.SuppressForbidden;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Makes one folder of the guide, as HTML, and of the API's documentation, in which all links lead
 * to files of the folder: {@code ./run docs}.
 */
final class Site {

  static final String API = "api/index.html";

  private static final List<String> MODULES =
      List.of("core", "mmap", "ram", "cache", "pmem", "vectors");

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --line: #8886; --shade: #8882; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: break-word; }
      nav { padding: .75rem 0; border-bottom: 1px solid var(--line); }
      nav a { margin-right: 1rem; }
      h1, h2 { line-height: 1.2; }
      table { border-collapse: collapse; display: block; overflow-x: auto; }
      th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; min-width: 6rem; }
      code, pre { font: .9em/1.45 ui-monospace, monospace; background: var(--shade); border-radius: .2rem; }
      code { padding: .1em .25em; }
      pre { padding: .75rem; overflow-x: auto; }
      pre code { padding: 0; background: none; }
      img { max-width: 100%; }
      """;

  private final Path root;
  private final Path out;

  Site(Path root, Path out) {
    this.root = root;
    this.out = out;
  }

  /** Arguments: the project's folder, and one that is made. */
  @SuppressForbidden(reason = "a command line prints")
  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[1]).toAbsolutePath();
    Site site = new Site(Path.of(args[0]), out);
    site.writePages();
    Locale.setDefault(Locale.ROOT); // so that problems are recognized by English words
    List<String> problems = site.writeApi();
    problems.forEach(System.err::println);
    if (!problems.isEmpty()) {
      System.exit(1);
    }
    System.out.println(out.resolve("index.html"));
  }

  /** Writes all pages as HTML, and beside them the files that they link to. */
  void writePages() throws IOException {
    for (Page page : Page.all(root)) {
      write(page);
    }
  }

  private void write(Page page) throws IOException {
    List<Path> linked = new ArrayList<>();
    HtmlRenderer renderer =
        HtmlRenderer.builder()
            .extensions(Page.EXTENSIONS)
            .attributeProviderFactory(
                _ -> (node, _, attributes) -> fill(page, node, attributes, linked))
            .build();
    String up = "../".repeat(page.file().getNameCount() - 1);
    String html =
        String.format(
            Locale.ROOT,
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>%s</title>
            <style>
            %s</style>
            </head>
            <body>
            <nav><a href="%sindex.html">Lucene Directories</a><a href="%sdocs/guide/index.html">Guide</a><a href="%s">API</a></nav>
            %s</body>
            </html>
            """,
            page.title(),
            STYLE,
            up,
            up,
            up + API,
            renderer.render(page.document()));
    put(htmlName(page.file().toString()), html);
    for (Path file : linked) {
      copy(file);
    }
  }

  private void fill(Page page, Node node, Map<String, String> attributes, List<Path> linked) {
    if (node instanceof Heading heading) {
      attributes.put("id", Page.anchor(heading));
    }
    String target = attributes.get(node instanceof Link ? "href" : "src");
    if (target == null || target.contains("://") || target.startsWith("#")) {
      return;
    }
    String[] parts = target.split("#", 2);
    Path file = page.file().resolveSibling(parts[0]).normalize();
    if (!parts[0].endsWith(".md")) {
      linked.add(file);
    }
    if (node instanceof Link) {
      String name =
          Files.isDirectory(root.resolve(file))
              ? parts[0].replaceFirst("/?$", "/index.html")
              : htmlName(parts[0]);
      attributes.put("href", name + (parts.length > 1 ? "#" + parts[1] : ""));
    }
  }

  static String htmlName(String page) {
    return page.replaceFirst("(^|/)README\\.md$", "$1index.html").replaceFirst("\\.md$", ".html");
  }

  /** A folder becomes a list of its pages. */
  private void copy(Path file) throws IOException {
    Path source = root.resolve(file);
    if (Files.isDirectory(source)) {
      try (Stream<Path> files = Files.list(source)) {
        put(
            file + "/index.html",
            files
                .map(each -> each.getFileName().toString())
                .filter(name -> name.endsWith(".md"))
                .sorted()
                .map(name -> "<p><a href=\"" + htmlName(name) + "\">" + name + "</a></p>\n")
                .collect(
                    Collectors.joining("", "<!DOCTYPE html>\n<title>" + file + "</title>\n", "")));
      }
    } else if (Files.exists(source)) {
      Path target = out.resolve(file.toString());
      Files.createDirectories(target.getParent());
      Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void put(String name, String html) throws IOException {
    Path target = out.resolve(name);
    Files.createDirectories(target.getParent());
    Files.writeString(target, html);
  }

  /** Writes the documentation of what the modules export; returns what is wrong with it. */
  private List<String> writeApi() {
    String jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(jar -> jar.matches(".*[/\\\\](lucene-core|llpl|jspecify)-[^/\\\\]*\\.jar"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> options = new ArrayList<>();
    options.addAll(List.of("-quiet", "-d", out.resolve("api").toString(), "--module-path", jars));
    options.addAll(List.of("-Xdoclint:all", "-Xmaxwarns", "10000", "-notimestamp"));
    options.addAll(List.of("-windowtitle", "Lucene Directories", "-docencoding", "UTF-8"));
    for (String module : MODULES) {
      options.add("--module-source-path");
      options.add(name(module) + "=" + root.resolve("directory-" + module + "/src/main/java"));
    }
    options.add("--module");
    options.add(MODULES.stream().map(Site::name).collect(Collectors.joining(",")));
    StringWriter messages = new StringWriter();
    PrintWriter printed = new PrintWriter(messages);
    ToolProvider javadoc = ToolProvider.findFirst("javadoc").orElseThrow();
    int _ = javadoc.run(printed, printed, options.toArray(String[]::new));
    // A tag that would repeat the signature is left out.
    return messages
        .toString()
        .lines()
        .filter(
            line -> line.matches(".*\\b(error|warning)( -|:) (?!no @(param|return|throws)\\b).*"))
        .toList();
  }

  private static String name(String module) {
    return "io.github.lucenedirectories." + module;
  }
}
