// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code warm}. */
@Command(
    name = "warm",
    description = {
      "Load the parts of an index that an image names into the page cache, or save which are there.",
      "The image is that of the library's WarmStart."
    })
public final class WarmCommand extends IndexCommand {

  @Option(names = "--image", required = true, paramLabel = "FILE", description = "the image")
  private Path image = Path.of("");

  @Option(names = "--save", description = "save the image in place of loading")
  private boolean save;

  @Override
  Map<String, Object> run() throws IOException, InterruptedException {
    if (!save && !Files.exists(image)) {
      throw new UsageException("no such image: " + image + "; --save makes one");
    }
    // Closing a warm start saves, which must not change the image that was loaded.
    Path copy = Files.createTempFile("lucene-directories-", ".image");
    try (Directory directory = IndexFiles.open(folder)) {
      if (!save) {
        Files.copy(image, copy, StandardCopyOption.REPLACE_EXISTING);
      }
      String outcome;
      try (WarmStart warm = WarmStart.builder(directory).image(copy).start()) {
        warm.awaitLoaded(Duration.ofDays(1));
        outcome = warm.toString().replace(copy.toString(), image.toString());
      }
      if (save && Files.size(copy) == 0) {
        throw new RunFailedException("the system does not say what is in memory: " + outcome);
      }
      if (!save && outcome.contains("loading ended")) {
        throw new RunFailedException("the image cannot be used: " + outcome);
      }
      if (save) {
        Files.copy(copy, image, StandardCopyOption.REPLACE_EXISTING);
      }
      return facts("outcome", save ? "saved " + image : outcome);
    } finally {
      Files.deleteIfExists(copy);
    }
  }
}
