package io.github.lucenedirectories.structure;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What users can name is what {@code docs/api.txt} lists: the public types of the exported packages
 * and their members. Methods that override those of Lucene or the JDK are left out.
 */
public class ApiTest extends LibraryTestCase {

  private static final String ROOT = "io.github.lucenedirectories.";

  /** The name of the system property that has the list written in place of compared. */
  private static final String UPDATE = "testkit.api.update";

  public void testListed() throws Exception {
    Set<String> api = new TreeSet<>();
    for (Path source : Project.sources()) {
      String path = source.toString().replace('/', '.').replaceFirst("\\.java$", "");
      String name = path.substring(path.indexOf(".src.main.java.") + ".src.main.java.".length());
      if (!name.startsWith(ROOT + "internal.")) {
        // Not initialized: some constants need native access.
        addType(Class.forName(name, false, ApiTest.class.getClassLoader()), api);
      }
    }
    Path file = Project.root().resolve("docs/api.txt");
    if (Boolean.getBoolean(UPDATE)) {
      Files.write(file, api);
    }
    List<String> listed = Files.readAllLines(file);
    assertEquals(
        "the public API has changed. If that is intended, run ./run test -Dtest=ApiTest -D"
            + UPDATE
            + "=true and commit docs/api.txt",
        String.join("\n", listed),
        String.join("\n", api));
  }

  private static boolean isVisible(int modifiers, Class<?> owner) {
    return Modifier.isPublic(modifiers)
        || (Modifier.isProtected(modifiers) && !Modifier.isFinal(owner.getModifiers()));
  }

  private static void addType(Class<?> type, Set<String> api) {
    if (!isVisible(type.getModifiers(), type)) {
      return;
    }
    String name = type.getName().substring(ROOT.length()).replace('$', '.');
    api.add(
        name
            + ": "
            + type.toGenericString().replaceFirst("(class|interface|enum|record) .*", "$1"));
    Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
        .flatMap(Arrays::stream)
        .filter(member -> isVisible(member.getModifiers(), type) && !member.isSynthetic())
        .filter(member -> !isKnown(member, type))
        .forEach(member -> api.add(name + ": " + description(member, type)));
    for (Class<?> nested : type.getDeclaredClasses()) {
      addType(nested, api);
    }
  }

  /** What overrides a method of others, or comes with every enum. */
  private static boolean isKnown(Member member, Class<?> type) {
    if (!(member instanceof Method method)) {
      return false;
    }
    if (type.isEnum() && List.of("values", "valueOf").contains(method.getName())) {
      return true;
    }
    return Stream.<Class<?>>iterate(type.getSuperclass(), c -> c != null, Class::getSuperclass)
        .flatMap(above -> Stream.concat(Stream.of(above), Arrays.stream(above.getInterfaces())))
        .anyMatch(
            above ->
                Arrays.stream(above.getDeclaredMethods())
                    .anyMatch(
                        other ->
                            other.getName().equals(method.getName())
                                && Arrays.equals(
                                    other.getParameterTypes(), method.getParameterTypes())));
  }

  private static String description(Member member, Class<?> type) {
    String text =
        switch (member) {
          case Constructor<?> constructor -> constructor.toGenericString();
          case Method method -> method.toGenericString();
          case Field field -> field.toGenericString();
          default -> throw new AssertionError(member);
        };
    return text.replace(type.getName() + ".", "")
        .replaceAll("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])", "")
        .replace('$', '.');
  }
}
