// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.lucenedirectories.internal.uri.UriOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** URIs of directories, which are checked and not opened: they could name any path. */
final class UriFormat implements FuzzTarget.Format {

  @Override
  public void make(Path work) throws IOException {
    List<String> uris =
        List.of(
            "cached:nio:i?cache=2m&cacheBlock=4k&block=4g&directMerge=1m",
            "nrt:hybrid:i?memory=4g&mapped=doc,pos&positional=fdt&journal=j&maxMergeSize=4m",
            "ram:mapped:i?max=8t&hugePages=never&chunk=1g",
            "pmem:i%2f%C3%A9?engine=jdk&mode=file&initial=1m");
    for (String uri : uris) {
      Files.writeString(work.resolve(uri.substring(0, 3)), uri);
    }
  }

  @Override
  public void check(Map<String, byte[]> files, int choice, Path work) {
    for (byte[] uri : files.values()) {
      try {
        new UriOptions(new String(uri, UTF_8)).opener();
      } catch (IllegalArgumentException e) {
        if (String.valueOf(e.getMessage()).isBlank()) {
          throw new AssertionError("no message", e);
        }
      }
    }
  }
}
