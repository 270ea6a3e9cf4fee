// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.pmem;

import io.github.lucenedirectories.internal.uri.DirectoryProvider;
import io.github.lucenedirectories.internal.uri.UriOptions;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code pmem:FOLDER}. */
public final class PmemProvider implements DirectoryProvider {

  @Override
  public Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds() {
    return Map.of(
        "pmem",
        options -> {
          PmemDirectory.Builder builder = PmemDirectory.builder(options.folder());
          options.constant("engine", PmemEngine.class, builder::engine);
          options.constant("mode", PmemMode.class, builder::mode);
          options.number("initial", builder::initialBytes);
          options.number("poolFile", builder::poolFileBytes);
          options.number("max", builder::maxBytes);
          options.number("chunk", builder::chunkBytes);
          return builder::build;
        });
  }
}
