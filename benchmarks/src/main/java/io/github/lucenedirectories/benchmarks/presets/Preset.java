package io.github.lucenedirectories.benchmarks.presets;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A named set of option values of one command. What the user gives besides goes before it.
 *
 * @param command that has these options
 * @param options each with its value, {@code --name=value}
 */
record Preset(String command, String name, List<String> options) {

  /** All there are. */
  static final List<Preset> ALL =
      List.of(
          // Memory against mmap under load: the hardest terms, few updates, a reopen each second.
          new Preset(
              "load",
              "zing",
              List.of(
                  "--directories=RamDirectory,HybridDirectory",
                  "--gc=G1",
                  "--heap=1g",
                  "--kinds=HardestTerm",
                  "--queries=100",
                  "--updates=100",
                  "--reopen-millis=1000",
                  "--sla=100ms",
                  "--forks=5",
                  "--warmup=6",
                  "--seconds=2")),

          // Files by positions, mapped files and caches of new files under many updates.
          new Preset(
              "nrt",
              "nrt",
              List.of(
                  "--directories=NIOFSDirectory,NioDirectory,MMapDirectory,HybridDirectory,"
                      + "NRTCachingDirectory-NIOFS,NrtCacheDirectory,NrtCacheDirectory-Nio",
                  "--updates=1MB",
                  "--reopen-millis=1000",
                  "--forks=4",
                  "--warmup=2",
                  "--seconds=5")),

          // What block size and size of a block cache make of the same memory: 16 threads with 20
          // searches of each kind, after as many others that warm the JVM. Of that memory the JVM
          // takes 160 MiB.
          new Preset(
              "memory-limit",
              "engels",
              List.of(
                  "--directories=HybridDirectory," + blockCaches(),
                  "--threads=16",
                  "--cold",
                  "--queries=" + 2 * 16 * 20,
                  "--kinds=MedTerm,Phrase,PKLookup,Stored",
                  "--limit=110%",
                  "--heap=96m",
                  "--forks=3",
                  "--warmup=2")),

          // Persistent memory against the disk: commits, searches, and both under updates.
          new Preset(
              "commit",
              "pmem",
              List.of(
                  "--documents-per-commit=1,10,100", "--forks=5", "--warmup=1.8", "--seconds=2.4")),
          new Preset(
              "compare",
              "pmem",
              List.of("--directories=MMapDirectory-pmem,PmemDirectory,RamDirectory", "--forks=6")),
          new Preset(
              "nrt",
              "pmem",
              List.of(
                  "--directories=MMapDirectory,MMapDirectory-pmem,PmemDirectory,"
                      + "RamDirectory-backed",
                  "--updates=1MB",
                  "--reopen-millis=1000",
                  "--commit-seconds=1",
                  "--forks=4",
                  "--warmup=2",
                  "--seconds=8")));

  /** A grid: each length of a block with each share of the index. */
  private static String blockCaches() {
    return IntStream.of(4, 16, 64)
        .boxed()
        .flatMap(
            blockKiB ->
                IntStream.of(10, 25, 50)
                    .mapToObj(share -> "BlockCacheDirectory[" + blockKiB + "KiB," + share + "%]"))
        .collect(Collectors.joining(","));
  }

  /** The one of a name. */
  static Optional<Preset> find(String command, String name) {
    return ALL.stream().filter(p -> p.command().equals(command) && p.name().equals(name)).findAny();
  }

  /** The names of a command's. */
  static List<String> names(String command) {
    return ALL.stream().filter(p -> p.command().equals(command)).map(Preset::name).toList();
  }
}
