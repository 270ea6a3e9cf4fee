// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.uri;

import io.github.lucenedirectories.nio.NioDirectory;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code nio:FOLDER}. */
public final class NioProvider implements DirectoryProvider {

  @Override
  public Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds() {
    return Map.of(
        "nio",
        options -> {
          NioDirectory.Builder builder = NioDirectory.builder(options.folder());
          options.locks(builder::lockFactory);
          options.number("block", bytes -> builder.blockBytes(Math.toIntExact(bytes)));
          options.number("directMerge", builder::directMergeBytes);
          return builder::build;
        });
  }
}
