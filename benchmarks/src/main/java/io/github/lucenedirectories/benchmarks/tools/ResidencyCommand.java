package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.warm.WarmStart;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** {@code residency}. */
@Command(
    name = "residency",
    description = "Say how much of each kind of file is in the page cache. Loads nothing.")
public final class ResidencyCommand extends IndexCommand {

  @Override
  Object run() throws IOException {
    Map<String, long[]> kinds = new TreeMap<>();
    try (Directory directory = IndexFiles.open(folder)) {
      for (FileResidency file :
          WarmStart.residency(directory)
              .orElseThrow(
                  () ->
                      new RunFailedException(
                          "the system does not say what is in memory; Linux does to the owner of the"
                              + " files, with --enable-native-access=ALL-UNNAMED"))) {
        long[] sums = kinds.computeIfAbsent(extension(file.name()), _ -> new long[2]);
        sums[0] += file.bytes();
        sums[1] += file.residentBytes();
      }
    }
    long[] all = new long[2];
    Map<String, Object> facts = new LinkedHashMap<>();
    kinds.forEach(
        (kind, sums) -> {
          facts.put(kind, Map.of("bytes", sums[0], "residentBytes", sums[1]));
          line(kind, sums);
          all[0] += sums[0];
          all[1] += sums[1];
        });
    line("all", all);
    return facts;
  }

  private void line(String kind, long[] sums) {
    say(
        "%-10s %12s of %12s %5.1f %%",
        kind,
        Numbers.bytes(sums[1]),
        Numbers.bytes(sums[0]),
        sums[0] == 0 ? 100 : 100.0 * sums[1] / sums[0]);
  }
}
