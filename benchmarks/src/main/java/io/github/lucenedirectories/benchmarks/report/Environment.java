// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;

/** The machine and the software that a run's figures belong to. */
public final class Environment {
  private static final String UNKNOWN = "unknown";

  private Environment() {}

  /** Names and values, in the order in which a reader wants them; of the index's file system. */
  public static Map<String, Object> describe(Path index, List<String> jvmFlags) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cpu", processor());
    facts.put("cores", Runtime.getRuntime().availableProcessors());
    facts.put("memoryBytes", memoryBytes());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put("fileSystem", fileSystem(index));
    facts.put("transparentHugePages", firstLine("/sys/kernel/mm/transparent_hugepage/enabled", ""));
    facts.put("jdk", System.getProperty("java.vendor.version") + " " + Runtime.version());
    facts.put("lucene", Version.LATEST.toString());
    facts.put("jvmFlags", jvmFlags);
    facts.put("commit", commit());
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return facts;
  }

  private static String processor() {
    String name = firstLine("/proc/cpuinfo", "model name");
    return name.equals(UNKNOWN)
        ? System.getenv().getOrDefault("PROCESSOR_IDENTIFIER", UNKNOWN)
        : name.substring(name.indexOf(':') + 1).strip();
  }

  /** The memory of the machine or, if smaller, of the container. */
  public static long memoryBytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  private static String fileSystem(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String firstLine(String file, String start) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.filter(line -> line.startsWith(start)).findFirst().orElse(UNKNOWN).strip();
    } catch (IOException | UncheckedIOException e) {
      return UNKNOWN;
    }
  }

  /** The commit that the running classes were built in, marked if files differ from it. */
  private static String commit() {
    try {
      Path classes =
          Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = Files.isDirectory(classes) ? classes : classes.resolveSibling("");
      Process git =
          new ProcessBuilder(
                  "git",
                  "describe",
                  "--always",
                  "--exclude=*",
                  "--abbrev=40",
                  "--dirty= and changes")
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor() == 0 ? out.strip() : UNKNOWN;
    } catch (IOException | URISyntaxException e) {
      return UNKNOWN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNKNOWN;
    }
  }
}
