// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    // Native access, granted or denied as here.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.contains("-native-access="))
        .forEach(command::add);
    command.addAll(jvm);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs a command, whose output goes to a file, to its end, and returns its status. */
  public static int run(List<String> command, Path output, long seconds)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError("hangs: " + command + ": " + Files.readString(output));
      }
      return process.exitValue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  /** Maven's own property where it starts the tests from a jar that only refers to others. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
