// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.docs;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Every message that the library logs, and every text of an {@link IOException} that it throws, is
 * explained on the guide's page on operating; and that page explains no message that does not
 * exist.
 */
public class MessagesTest extends LibraryTestCase {

  /** Whatever {@code java.util.logging.Logger} can be asked to log with. */
  private static final Set<String> LOGGING =
      Set.of("severe", "warning", "info", "config", "fine", "finer", "finest", "log");

  /** The failures of the environment; those of a caller name what is wrong with the argument. */
  private static final Pattern FAILURE =
      Pattern.compile(
          "\\w*(IO|EOF|File|Denied|Corrupt|Limit|Full|NotFound)\\w*Exception|OutOfMemoryError");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  public void testEveryMessageIsExplained() throws IOException {
    List<String> explained = explained();
    Messages said = messages();
    List<String> missing = new ArrayList<>(said.messages);
    missing.removeIf(message -> explained.stream().anyMatch(message::contains));
    assertEquals("not in docs/guide/operating.md", List.of(), missing);
    List<String> unknown = new ArrayList<>(explained);
    unknown.removeIf(text -> said.literals.stream().anyMatch(each -> each.contains(text)));
    assertEquals("in docs/guide/operating.md, and never said", List.of(), unknown);
    assertTrue(said.messages.toString(), said.messages.size() > 40);
  }

  /** The first column of the tables that begin with a column of messages. */
  private static List<String> explained() throws IOException {
    List<String> texts = new ArrayList<>();
    boolean inTable = false;
    for (String line : Files.readAllLines(Project.root().resolve("docs/guide/operating.md"))) {
      inTable = line.startsWith("| Message") || (inTable && line.startsWith("|"));
      Matcher code = CODE.matcher(inTable ? line.split("[|]", 3)[1] : "");
      while (code.find()) {
        texts.add(code.group(1));
      }
    }
    return texts;
  }

  private static Messages messages() throws IOException {
    Messages messages = new Messages();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var sources = files.getJavaFileObjectsFromPaths(Project.sources());
      var task = (JavacTask) compiler.getTask(null, files, null, null, null, sources);
      messages.scan(task.parse(), new StringBuilder());
    }
    return messages;
  }

  /** Finds the calls that make messages; the parameter takes the texts of the one around. */
  private static final class Messages extends TreeScanner<Void, StringBuilder> {
    /** The constant parts of each message, with a line end for each that varies. */
    final List<String> messages = new ArrayList<>();

    /** All texts: a method may make a message of one. */
    final List<String> literals = new ArrayList<>();

    private boolean inFailure;

    @Override
    public Void visitClass(ClassTree type, StringBuilder around) {
      boolean before = inFailure;
      inFailure = FAILURE.matcher(type.getSimpleName()).matches();
      super.visitClass(type, around);
      inFailure = before;
      return null;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, StringBuilder around) {
      String called = call.getMethodSelect().toString();
      String method = called.substring(called.lastIndexOf('.') + 1);
      if (LOGGING.contains(method) || (inFailure && called.equals("super"))) {
        add(call.getArguments());
      }
      return super.visitMethodInvocation(call, around);
    }

    @Override
    public Void visitNewClass(NewClassTree made, StringBuilder around) {
      if (FAILURE.matcher(made.getIdentifier().toString()).matches()) {
        add(made.getArguments());
      }
      return super.visitNewClass(made, around);
    }

    @Override
    public Void visitLiteral(LiteralTree literal, StringBuilder around) {
      literals.add(String.valueOf(literal.getValue()));
      if (literal.getValue() instanceof String part) {
        around.append(part).append('\n');
      }
      return null;
    }

    private void add(List<? extends ExpressionTree> arguments) {
      StringBuilder text = new StringBuilder();
      scan(arguments, text);
      if (!text.isEmpty()) {
        messages.add(text.toString());
      }
    }
  }
}
