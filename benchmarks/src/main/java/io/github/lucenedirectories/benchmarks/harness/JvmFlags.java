// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The flags of a fork's JVM: the same for every directory of a run. Vector instructions and native
 * access are on, and so is what LLPL uses; the heap has one size from start to end.
 *
 * @param touched whether all of the heap is in memory from the start, so that it takes none from
 *     the page cache later
 */
public record JvmFlags(long heapMegabytes, Collector collector, boolean touched) {
  private static final long BASE_MEGABYTES = 640;

  /* Of a smaller heap, at most half. */
  private static final long YOUNG_MEGABYTES = 256;
  private static final long BYTES_IN_MEGABYTE = 1024 * 1024;

  public enum Collector {
    /** Has no threads of its own to disturb those that are measured: for throughput. */
    SERIAL("Serial"),
    /** What the JVM takes by itself on a server: for latencies, which its pauses are part of. */
    G1("G1"),
    PARALLEL("Parallel"),
    ZGC("Z"),
    /** Not every JDK has it. */
    SHENANDOAH("Shenandoah");

    private final String flag;

    Collector(String flag) {
      this.flag = flag;
    }
  }

  public JvmFlags(long heapMegabytes, Collector collector) {
    this(heapMegabytes, collector, false);
  }

  /** Flags for an index that some directories hold on the heap; 0 bytes if none does. */
  public static JvmFlags forIndex(long heapIndexBytes) {
    // A quarter more than the index: buffers end in part-filled blocks.
    return forWriting(heapIndexBytes * 5 / 4, Collector.SERIAL);
  }

  /** Flags for what keeps so much on the heap besides what Lucene needs for itself. */
  public static JvmFlags forWriting(long heapBytes, Collector collector) {
    return new JvmFlags(BASE_MEGABYTES + heapBytes / BYTES_IN_MEGABYTE, collector);
  }

  /** The flags as they are recorded, without this run's temporary folder. */
  public List<String> flags() {
    List<String> flags =
        new ArrayList<>(List.of("-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m"));
    if (collector == Collector.SERIAL) {
      flags.add("-Xmn" + Math.min(YOUNG_MEGABYTES, heapMegabytes / 2) + "m");
    }
    if (touched) {
      flags.add("-XX:+AlwaysPreTouch");
    }
    flags.addAll(
        List.of(
            "-XX:+Use" + collector.flag + "GC",
            "-XX:-UsePerfData",
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    return flags;
  }

  /**
   * The command that starts a fork with this JVM's own class path.
   *
   * @param testFramework whether lucene-test-framework stays on it: its codecs announce themselves
   *     to Lucene, and classes that are merely loaded already change what the compiler may assume
   */
  List<String> command(Workspace workspace, boolean testFramework, List<String> main) {
    Path temporaryFolder = workspace.file("");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.add("-Djava.io.tmpdir=" + temporaryFolder);
    command.add(workspace.memoryFlag());
    command.add("-XX:ErrorFile=" + temporaryFolder.resolve("hs_err.log"));
    command.add("-cp");
    command.add(
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> testFramework || !entry.contains("lucene-test-framework"))
            .collect(Collectors.joining(File.pathSeparator)));
    command.addAll(main);
    return command;
  }
}
