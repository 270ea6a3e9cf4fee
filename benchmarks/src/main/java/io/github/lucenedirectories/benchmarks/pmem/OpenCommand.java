package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The tool that says how long it takes until pools can be searched. */
@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Opens the pools and a reader of their last commit, closes both, and says how long each"
          + " opening took: the first time, when no class is loaded yet, and afterwards.",
      "Free pages are populated for writing meanwhile, which an open does not wait for."
    })
final class OpenCommand implements Callable<Integer> {
  private static final double NANOS_PER_MILLI = 1e6;

  @Mixin private PoolOptions options = new PoolOptions();

  @Parameters(index = "0", paramLabel = "POOLDIR", description = "the folder of the pool files")
  private Path folder;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "how often (default: ${DEFAULT-VALUE})",
      defaultValue = "21")
  private int rounds;

  @Spec private CommandSpec spec;

  private final List<Double> pools = new ArrayList<>();
  private final List<Double> readers = new ArrayList<>();

  /**
   * Runs the tool.
   *
   * @throws UsageException if there are fewer than 2 rounds, or no index
   */
  @Override
  public Integer call() {
    if (rounds < 2) {
      throw new UsageException("--rounds must be at least 2, not " + rounds);
    }
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      options.onPools(
          folder,
          directory -> {
            pools.add(millisSince(start));
            openReader(directory);
          });
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(line("the pools", pools));
    out.println(line("a reader", readers));
    out.flush();
    return 0;
  }

  private void openReader(PmemDirectory directory) throws IOException {
    long start = System.nanoTime();
    try {
      DirectoryReader reader = DirectoryReader.open(directory);
      readers.add(millisSince(start));
      reader.close();
    } catch (IndexNotFoundException e) {
      throw new UsageException("no index: " + folder + " holds no commit", e);
    }
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }

  private static String line(String what, List<Double> millis) {
    List<Double> later = millis.subList(1, millis.size());
    return String.format(
        Locale.ROOT,
        "opening %-9s  first %.1f ms, then median %.2f ms, longest %.2f ms of %d",
        what,
        millis.getFirst(),
        Medians.of(later),
        Collections.max(later),
        later.size());
  }
}
