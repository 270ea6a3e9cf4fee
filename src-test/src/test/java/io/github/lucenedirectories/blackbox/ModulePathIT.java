// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.intel.pmem.llpl.MemoryPool;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.Llpl;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The built jars as an application meets them: on a module path that holds nothing but them and
 * lucene-core, compiled against and run in a JVM of its own.
 */
class ModulePathIT {
  private static final String CORE = "io.github.lucenedirectories.core";
  private static final long TIMEOUT_SECONDS = 120;
  private static final List<Class<?>> OURS =
      List.of(NioDirectory.class, MappedDirectory.class, RamDirectory.class, PmemDirectory.class);

  @TempDir Path folder;

  @Test
  void runsWithNativeAccess() throws Exception {
    assertHolds(run(List.of("--enable-native-access=" + CORE), modulePath()));
  }

  @Test
  void runsWhereNativeAccessIsDenied() throws Exception {
    assertHolds(run(List.of("--illegal-native-access=deny"), modulePath()));
  }

  /** The mode is one that LLPL alone serves. */
  @Test
  void runsWithLlpl() throws Exception {
    assumeTrue(Llpl.loads(), "LLPL does not load here");
    List<String> options =
        List.of("--enable-native-access=" + CORE + ",llpl", "--add-modules", "llpl");
    assertHolds(
        run(options, modulePath() + File.pathSeparator + jar(MemoryPool.class), "EMULATED"));
  }

  /** What is missing for a mode that LLPL alone serves is said in the words of the command line. */
  @Test
  void namesTheOptionsForLlpl() throws Exception {
    String modules = modulePath() + File.pathSeparator + jar(MemoryPool.class);
    Outcome without = run(List.of("--enable-native-access=" + CORE), modules, "EMULATED");
    assertFails(" --add-modules llpl:", without);
    Outcome denied =
        run(List.of("--illegal-native-access=deny", "--add-modules", "llpl"), modules, "EMULATED");
    assertFails(" --enable-native-access=llpl", denied);
  }

  @Test
  void keepsTheSharedPackageToTheSiblings() throws Exception {
    String said = "package io.github.lucenedirectories.internal.os is not visible";
    assertFails(said, compile("intruder"));
  }

  @Test
  void jarsCarryTheirLicense() throws Exception {
    for (Class<?> type : OURS) {
      try (ZipFile jar = new ZipFile(jar(type))) {
        for (String name : List.of("META-INF/LICENSE")) {
          assertNotNull(jar.getEntry(name), jar.getName() + " has no " + name);
        }
      }
    }
  }

  private static void assertFails(String said, Outcome outcome) {
    assertNotEquals(0, outcome.status());
    assertTrue(outcome.text().contains(said), outcome.text());
  }

  private static void assertHolds(Outcome outcome) {
    assertEquals(0, outcome.status(), outcome.text());
    for (String held :
        List.of(
            "NioDirectory core",
            "MappedDirectory mmap",
            "RamDirectory ram",
            "PmemDirectory pmem")) {
      String line = "held: " + held.replace(" ", " of io.github.lucenedirectories.");
      assertTrue(outcome.text().lines().anyMatch(line::equals), outcome.text());
    }
    // Ours need native access for one module alone; lucene-core may warn of its own calls.
    assertFalse(outcome.text().contains("in module io.github.lucenedirectories"), outcome.text());
  }

  private Outcome run(List<String> options, String modulePath, String... more) throws Exception {
    Outcome compiled = compile("application");
    assertEquals(0, compiled.status(), compiled.text());
    List<String> command = new ArrayList<>(List.of(tool("java"), "-ea", "-Xmx512m"));
    command.addAll(options);
    String path = modulePath + File.pathSeparator + folder.resolve("application");
    command.addAll(List.of("--module-path", path, "--module", "blackbox/blackbox.Application"));
    command.add(Files.createDirectories(folder.resolve("data")).toString());
    command.addAll(List.of(more));
    return outcome(command);
  }

  /** Compiles one of the folders of sources beside this class among the test resources. */
  private Outcome compile(String name) throws Exception {
    Path sources = Path.of(ModulePathIT.class.getResource(name).toURI());
    String target = folder.resolve(name).toString();
    List<String> command =
        new ArrayList<>(List.of(tool("javac"), "-d", target, "--module-path", modulePath()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
    }
    return outcome(command);
  }

  private static String modulePath() throws Exception {
    List<String> jars = new ArrayList<>(List.of(jar(Directory.class)));
    for (Class<?> type : OURS) {
      jars.add(jar(type));
    }
    return String.join(File.pathSeparator, jars);
  }

  private static String jar(Class<?> type) throws Exception {
    Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertTrue(jar.toString().endsWith(".jar"), "a jar is wanted, run this in `verify`: " + jar);
    return jar.toString();
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private Outcome outcome(List<String> command) throws IOException, InterruptedException {
    Path text = Files.createTempFile(folder, "command", ".txt");
    int status = JavaCommand.run(command, text, TIMEOUT_SECONDS);
    return new Outcome(status, Files.readString(text));
  }

  private record Outcome(int status, String text) {}
}
