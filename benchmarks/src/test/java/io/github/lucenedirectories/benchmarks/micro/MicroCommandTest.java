package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MicroCommandTest {
  private final StringWriter out = new StringWriter();

  /** Other JVMs on the machine may hold JMH's lock; a test of the command measures nothing. */
  @BeforeAll
  static void ignoreTheLock() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void refusesBadInputInOneLine(@TempDir Path folder) throws IOException {
    assertRefused(
        "no benchmark's name contains 'Nothing': ./run micro --list names them", "Nothing");
    assertRefused("not a regular expression: '[' (Unclosed character class)", "[");
    assertRefused(
        "unknown directory 'FooDirectory': choose from RamDirectory, MappedDirectory, NioDirectory,"
            + " MMapDirectory, NIOFSDirectory, ByteBuffersDirectory",
        "--directories=FooDirectory");
    assertRefused("--forks must be at least 1, but was 0", "--forks=0");
    assertRefused("--millis must be at least 1, but was -5", "--millis=-5");
    assertRefused(
        "no parameter 'speed': these benchmarks have directory, fileBytes", "-pspeed=1", "Views");
    assertRefused(
        "fileBytes: not a number of bytes: 'x' (write for example 65536, 64k, 1400m or 2g)",
        "-pfileBytes=x");
    assertRefused("fileBytes must be at least 4m, but was 1k", "-pfileBytes=4m,1k");
    assertRefused("size must be a number from 17 to 65536, but was '16x'", "-psize=16x");
    assertRefused("size must be a number from 17 to 65536, but was '65537'", "-psize=65537");
    assertRefused("readers must be a number from 0 to 1024, but was '-1'", "-preaders=-1");
    assertRefused(
        "unknown file 'disk': choose from memory, mapped", "-pfile=disk", "MixedDirectories");
    assertRefused("chainBytes: not a power of two from 64k to 1024g: '3m'", "-pchainBytes=3m");
    assertRefused(
        "ByteBuffersDirectory needs a heap of 1.5 GiB for chainBytes=1g: leave it out, give"
            + " --jvm-arg=-Xmx, or take a shorter file: -p chainBytes=256m",
        "-pchainBytes=1g",
        "--directories=RamDirectory,ByteBuffersDirectory",
        "DependentReads");
    assertRefused(
        "--jvm-arg=-Xmx1e: not a number of bytes: '1e' (write for example 65536, 64k, 1400m or"
            + " 2g)",
        "--jvm-arg=-Xmx1e",
        "DependentReads");
    Path file = Files.createFile(folder.resolve("file"));
    assertRefused("not a folder: " + file, "--out=" + file, "Views");
  }

  private void assertRefused(String message, String... arguments) {
    // If it is not refused, the first fork fails, instead of an hour of benchmarks starting.
    List<String> failing = new ArrayList<>(List.of("--jvm-arg=-XX:NoSuchFlag"));
    failing.addAll(List.of(arguments));
    Exception failure = failure(failing.toArray(String[]::new));
    assertEquals(UsageException.class, failure.getClass(), String.valueOf(failure));
    assertEquals(message, failure.getMessage());
    assertEquals("", out.toString(), "a refused command must not have started");
  }

  @Test
  void refusesAChainThatThereIsNoRoomFor() {
    Exception failure = failure("--jvm-arg=-XX:NoSuchFlag", "-pchainBytes=1024g", "DependentReads");
    assertEquals(UsageException.class, failure.getClass(), String.valueOf(failure));
    assertTrue(failure.toString().contains("not enough "), failure.toString());
  }

  @Test
  void aQuickLookTakesAShortChain() {
    int status =
        execute(
            "--quick",
            "--iterations=1",
            "--millis=10",
            "--directories=RamDirectory",
            "DependentReads");
    assertEquals(0, status);
    assertTrue(out.toString().contains("DependentReads.readLong chainBytes=256m"), out.toString());
  }

  @Test
  void listNamesTheBenchmarksThatMatch() {
    assertEquals(0, execute("--list", "RandomReads.readBytes", "vInt$"));
    assertEquals(
        List.of(
            "MixedDirectories.vInt company=alone,mixed file=memory,mapped"
                + " pair=RamDirectory+MappedDirectory,NRTCachingDirectory+MMapDirectory",
            "RandomReads.readBytes directory=RamDirectory,MappedDirectory,NioDirectory,"
                + "MMapDirectory,NIOFSDirectory,ByteBuffersDirectory fileBytes=64m"
                + " size=16,256,4096,65536"),
        out.toString().lines().toList());
  }

  @Test
  void runsForksAndWritesBothFiles(@TempDir Path folder) throws IOException {
    Path results = folder.resolve("new/results");
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    int status =
        executeIn(
            temporary,
            "--forks=2",
            "--iterations=1",
            "--millis=10",
            "--directories=ramdirectory,MMapDirectory",
            "--param=fileBytes=4m",
            "--out=" + results,
            "RandomReads.readLong$",
            "Views.copy$");
    assertEquals(0, status);
    assertEquals(
        0, Objects.requireNonNull(temporary.toFile().list()).length, "left behind in " + temporary);

    String table = Files.readString(results.resolve("micro.txt"));
    assertTrue(out.toString().contains(table), out.toString());
    assertTrue(table.contains("RandomReads.readLong fileBytes=4m"), table);
    assertFalse(table.contains("NioDirectory"), table);
    JsonNode json = new ObjectMapper().readTree(results.resolve("micro.json").toFile());
    assertEquals(4, json.size());
    for (JsonNode result : json) {
      assertEquals(2, result.get("forks").asInt());
      assertEquals(2, result.get("primaryMetric").get("rawData").size());
      assertTrue(
          result.get("jvmArgs").toString().contains("--enable-native-access=ALL-UNNAMED"),
          result.toString());
    }
  }

  @Test
  void aFailedForkIsSaidWithItsLastLines() {
    Exception failure =
        failure(
            "--quick",
            "--millis=10",
            "--directories=RamDirectory",
            "--jvm-arg=-XX:NoSuchFlag",
            "Views.copy$");
    assertEquals(RunFailedException.class, failure.getClass(), String.valueOf(failure));
    assertTrue(failure.toString().contains("NoSuchFlag"), failure.toString());
  }

  @Test
  void anUnknownProfilerIsRefused() {
    Exception failure = failure("--quick", "--profiler=nonsense", "Views.copy$");
    assertEquals(UsageException.class, failure.getClass(), String.valueOf(failure));
    assertTrue(failure.toString().contains("nonsense"), failure.toString());
  }

  private int executeIn(Path temporary, String... arguments) {
    System.setProperty(TemporaryFolder.PARENT_PROPERTY, temporary.toString());
    try {
      return execute(arguments);
    } finally {
      System.clearProperty(TemporaryFolder.PARENT_PROPERTY);
    }
  }

  private int execute(String... arguments) {
    return new CommandLine(new MicroCommand())
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler(
            (failure, _, _) -> {
              throw failure;
            })
        .execute(arguments);
  }

  private Exception failure(String... arguments) {
    Exception[] caught = new Exception[1];
    new CommandLine(new MicroCommand())
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler(
            (failure, _, _) -> {
              caught[0] = failure;
              return 1;
            })
        .execute(arguments);
    return caught[0];
  }
}
