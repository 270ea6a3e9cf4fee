package io.github.lucenedirectories.benchmarks.advise;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.benchmarks.directories.ReadOnlyDirectory;
import io.github.lucenedirectories.benchmarks.forks.ForkChannel;
import io.github.lucenedirectories.benchmarks.forks.ForkJob;
import io.github.lucenedirectories.benchmarks.limit.Device;
import io.github.lucenedirectories.benchmarks.limit.IndexPages;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The fork that looks at the index and the machine: a JVM with the heap and under the limit that
 * those have which measure, so that it finds the memory that they find.
 */
public final class InspectJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "inspect";

  /** Said by the fork, with its {@link Inspection}. */
  static final String INSPECTED = "inspected";

  private static final Path MAX_MAP_COUNT = Path.of("/proc/sys/vm/max_map_count");
  private static final Path MEMORY_FACTS = Path.of("/proc/meminfo");
  private static final String TOTAL = "MemTotal:";

  @Override
  public void run(ForkChannel parent) throws IOException {
    Path index = Path.of(parent.spec(InspectSpec.class).index());
    ExistingIndex.check(index);
    long residentBytes = new IndexPages(index).residentBytes();
    Contents contents;
    try (Directory directory = new ReadOnlyDirectory(new MMapDirectory(index))) {
      contents = new ContentsReader(directory).read();
    }
    parent.send(INSPECTED, new Inspection(contents, machine(index, residentBytes)));
  }

  private static Machine machine(Path index, long residentBytes) throws IOException {
    OptionalLong readAhead = Device.readAheadKibibytes(index);
    long total =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    Long machineKibibytes = number(MEMORY_FACTS, TOTAL);
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        total,
        machineKibibytes == null ? null : Long.valueOf(machineKibibytes << 10),
        Runtime.getRuntime().maxMemory(),
        AvailableMemory.pageCacheBytes(),
        residentBytes,
        readAhead.isPresent() ? Long.valueOf(readAhead.getAsLong()) : null,
        Device.describe(index).orElse(null),
        number(MAX_MAP_COUNT, ""),
        hybrid(index));
  }

  private static String hybrid(Path index) throws IOException {
    try (HybridDirectory directory = new HybridDirectory(index);
        // So that it has been told what Lucene reads of each file.
        DirectoryReader reader = DirectoryReader.open(new ReadOnlyDirectory(directory))) {
      String largest = "";
      long bytes = -1;
      for (String name : reader.getIndexCommit().getFileNames()) {
        if (directory.fileLength(name) > bytes) {
          largest = name;
          bytes = directory.fileLength(name);
        }
      }
      return directory.explain(largest);
    }
  }

  /** The number in the first line that begins so; null where there is none. */
  private static @Nullable Long number(Path file, String start) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(start))
          .map(line -> Long.valueOf(line.substring(start.length()).replace("kB", "").strip()))
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return null;
    }
  }
}
