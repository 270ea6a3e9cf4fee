// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.mmap;

import io.github.lucenedirectories.internal.uri.DirectoryProvider;
import io.github.lucenedirectories.internal.uri.UriOptions;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code mapped:FOLDER} and {@code hybrid:FOLDER}. */
public final class MappedProvider implements DirectoryProvider {

  @Override
  public Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds() {
    return Map.of(
        "mapped",
        options -> {
          MappedDirectory.Builder builder = MappedDirectory.builder(options.folder());
          options.locks(builder::lockFactory);
          options.number("chunk", builder::chunkBytes);
          options.names("preload", names -> builder.preload(new HashSet<>(names)));
          return builder::build;
        },
        "hybrid",
        options -> {
          HybridDirectory.Builder builder = HybridDirectory.builder(options.folder());
          options.locks(builder::lockFactory);
          options.number("chunk", builder::chunkBytes);
          options.number("memory", bytes -> builder.memoryBytes(() -> bytes));
          options.number("directMerge", builder::directMergeBytes);
          options.names("mapped", read(builder, AccessMode.MAPPED));
          options.names("mappedRandom", read(builder, AccessMode.MAPPED_RANDOM));
          options.names("positional", read(builder, AccessMode.POSITIONAL));
          return builder::build;
        });
  }

  private static Consumer<List<String>> read(HybridDirectory.Builder builder, AccessMode mode) {
    return names -> names.forEach(name -> builder.read(name, mode));
  }
}
