// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.docs;

import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * A page in Markdown.
 *
 * @param file relative to the project's folder
 */
record Page(Path file, Node document) {

  static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

  private static final Parser PARSER =
      Parser.builder().extensions(EXTENSIONS).includeSourceSpans(IncludeSourceSpans.BLOCKS).build();

  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();
  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)\\{@snippet :(\n.*?)\n \\* }\n \\*\n");

  /**
   * A block of code.
   *
   * @param language as in {@code java}
   * @param line of the page on which it begins
   */
  record Block(String language, int line, String code) {}

  static Page read(Path root, String file) throws IOException {
    return new Page(Path.of(file), PARSER.parse(Files.readString(root.resolve(file))));
  }

  /** All pages, sorted by name. */
  static List<Page> all(Path root) throws IOException {
    List<Page> pages =
        new ArrayList<>(List.of(read(root, "CHANGELOG.md"), read(root, "README.md")));
    pages.addAll(in(root, "docs"));
    return pages;
  }

  /** The pages in a folder and the folders below it. */
  static List<Page> in(Path root, String folder) throws IOException {
    List<Page> pages = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root.resolve(folder))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        pages.add(read(root, root.relativize(file).toString()));
      }
    }
    return pages;
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(FencedCodeBlock block) {
            int line = block.getSourceSpans().getFirst().getLineIndex() + 1;
            blocks.add(new Block(block.getInfo(), line, block.getLiteral()));
          }
        });
    return blocks;
  }

  /** The examples in the javadoc of the library. */
  static List<Block> examples() throws IOException {
    List<Block> examples = new ArrayList<>();
    for (Path source : Project.sources()) {
      Matcher example = EXAMPLE.matcher(Files.readString(source));
      while (example.find()) {
        String name = source.getFileName().toString();
        examples.add(new Block(name, examples.size(), example.group(1).replace("\n * ", "\n")));
      }
    }
    return examples;
  }

  /** The text of the first heading. */
  String title() {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        return text(node);
      }
    }
    return file.toString();
  }

  /** The name by which links refer to a heading, made as GitHub makes it. */
  static String anchor(Heading heading) {
    return text(heading)
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }

  /** The text of a node without its markup. */
  private static String text(Node node) {
    return TEXT.render(node).replace("\"", "");
  }
}
