package io.github.lucenedirectories.testkit.durability;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs a class of this class path in a virtual machine of its own. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * The command's words.
   *
   * @param jvm options of the virtual machine
   */
  public static List<String> of(List<String> jvm, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:+UseSerialGC", "-Xmx128m", "-ea"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Maven's own property where it starts the tests from a jar that only refers to others. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
