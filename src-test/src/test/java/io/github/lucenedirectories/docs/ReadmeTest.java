// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.docs;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The README stays short and names what is built; the site has no link that leads nowhere. */
public class ReadmeTest extends LibraryTestCase {

  private static final int MOST_WORDS = 900;
  private static final Pattern TARGET =
      Pattern.compile("(?:href|src)=\"([^\"#:]*)(?:#([^\"]*))?\"");

  private final Path root = Project.root();

  public void testIsShort() throws IOException {
    int words = Files.readString(root.resolve("README.md")).strip().split("\\s+").length;
    assertTrue("words=" + words, words <= MOST_WORDS);
  }

  public void testNamesTheVersion() throws IOException {
    String pom = Files.readString(root.resolve("pom.xml"));
    String version = pom.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
    for (Page.Block block : Page.read(root, "README.md").blocks()) {
      if (block.code().contains("io.github.lucenedirectories")
          && !block.language().equals("java")) {
        assertTrue(block.code(), block.code().contains(version));
      }
    }
  }

  public void testLinksLeadSomewhere() throws IOException {
    Path out = createTempDir();
    new Site(root, out).writePages();
    StringBuilder broken = new StringBuilder();
    int links = 0;
    for (Page page : Page.all(root)) {
      Path file = out.resolve(Site.htmlName(page.file().toString()));
      Matcher target = TARGET.matcher(Files.readString(file));
      while (target.find()) {
        Path linked = target.group(1).isEmpty() ? file : file.resolveSibling(target.group(1));
        links++;
        if (!leadsSomewhere(linked.normalize(), target.group(2))
            && !linked.normalize().equals(out.resolve(Site.API))) {
          broken.append(page.file()).append(": ").append(target.group()).append('\n');
        }
      }
    }
    assertEquals("", broken.toString());
    assertTrue("links=" + links, links > 100);
  }

  private static boolean leadsSomewhere(Path file, String anchor) throws IOException {
    return Files.isRegularFile(file)
        && (anchor == null || Files.readString(file).contains(" id=\"" + anchor + "\""));
  }
}
