package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that shows how much Java heap the files in a directory take. */
@Command(
    name = "heap-growth",
    mixinStandardHelpOptions = true,
    description = {
      "Fills a directory with files as large as an index's, opens all of them, and shows by how"
          + " much the live objects on the Java heap have grown.",
      "Fails if they have grown by 1 MB or more."
    })
public final class HeapGrowthCommand implements Callable<Integer> {
  private static final long LIMIT_BYTES = 1_000_000;
  private static final long WARM_UP_BYTES = 128L << 20;
  private static final int SHOWN_CLASSES = 5;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "1400m",
      converter = ByteCount.class,
      description = "The length of all files together, such as 200m or 2g; 1400m by default.")
  private long bytes;

  @Option(
      names = "--directory",
      paramLabel = "NAME",
      defaultValue = "RamDirectory",
      description = "The directory; RamDirectory by default.")
  private String directoryName;

  @Spec private CommandSpec spec;

  /**
   * Runs the command.
   *
   * @return the exit status 0
   * @throws UsageException if there is no such directory
   * @throws RunFailedException if the heap has grown too much
   * @throws IOException if the files cannot be written or read back
   */
  @Override
  public Integer call() throws IOException {
    DirectoryKind kind = DirectoryKind.named(directoryName);
    // Loads the classes and fills the caches that stay, however many bytes follow.
    grow(kind, Math.min(bytes, WARM_UP_BYTES));
    long grown = print(kind, grow(kind, bytes));
    if (grown >= LIMIT_BYTES) {
      throw new RunFailedException(
          kind.className() + " added " + grown + " bytes to the heap, limit=" + LIMIT_BYTES);
    }
    return 0;
  }

  /**
   * The heap at three points.
   *
   * @param files how many there are
   * @param empty before the directory was opened
   * @param loaded with all files in it
   * @param opened with an input of each, its contents read
   */
  private record Heaps(int files, LiveHeap empty, LiveHeap loaded, LiveHeap opened) {}

  private static Heaps grow(DirectoryKind kind, long bytes) throws IOException {
    LiveHeap empty = LiveHeap.now();
    try (TemporaryFolder folder = TemporaryFolder.create();
        Directory directory = kind.open(folder.path())) {
      List<String> names = SyntheticIndex.write(directory, bytes);
      LiveHeap loaded = LiveHeap.now();
      List<IndexInput> inputs = new ArrayList<>();
      try {
        for (String name : names) {
          inputs.add(SyntheticIndex.openChecked(directory, name));
        }
        return new Heaps(names.size(), empty, loaded, LiveHeap.now());
      } finally {
        IOUtils.close(inputs);
      }
    }
  }

  private long print(DirectoryKind kind, Heaps heaps) {
    long loaded = heaps.loaded.bytes() - heaps.empty.bytes();
    long opened = heaps.opened.bytes() - heaps.empty.bytes();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(Locale.ROOT, "%s: %,d bytes in %d files%n", kind.className(), bytes, heaps.files);
    out.printf(Locale.ROOT, "  live heap before:       %,12d bytes%n", heaps.empty.bytes());
    out.printf(Locale.ROOT, "  grown by the files:     %,12d bytes%n", loaded);
    out.printf(Locale.ROOT, "  with an input of each:  %,12d bytes%n", opened);
    for (LiveHeap.Growth growth :
        heaps.opened.growthSince(heaps.empty).stream().limit(SHOWN_CLASSES).toList()) {
      out.printf(Locale.ROOT, "  %,12d bytes in %s%n", growth.bytes(), growth.className());
    }
    out.flush();
    return Math.max(loaded, opened);
  }
}
