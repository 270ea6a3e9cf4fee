// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.warm.WarmStart;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import java.io.IOException;
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
  Map<String, Object> run() throws IOException {
    Map<String, long[]> kinds = new TreeMap<>();
    try (Directory directory = IndexFiles.open(folder)) {
      for (FileResidency file :
          WarmStart.residency(directory)
              .orElseThrow(
                  () ->
                      new RunFailedException(
                          "the system does not say what is in memory; Linux does to the owner of the"
                              + " files, with --enable-native-access=ALL-UNNAMED"))) {
        for (String kind : new String[] {extension(file.name()), "all"}) {
          long[] sums = kinds.computeIfAbsent(kind, _ -> new long[2]);
          sums[0] += file.bytes();
          sums[1] += file.residentBytes();
        }
      }
    }
    Map<String, Object> facts = facts();
    kinds.forEach(
        (kind, sums) -> {
          long percent = sums[0] == 0 ? 100 : 100 * sums[1] / sums[0];
          facts.put(kind, facts("bytes", sums[0], "residentBytes", sums[1], "percent", percent));
        });
    return facts("residency", facts);
  }
}
