// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.mmap;

import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.store.LockFactory;

/** {@code mapped:FOLDER} and {@code hybrid:FOLDER}. */
public final class MappedProvider implements DirectoryProvider {

  @Override
  public Map<String, Kind> kinds() {
    return Map.of(
        "mapped",
        options -> {
          MappedDirectory.Builder builder = MappedDirectory.builder(options.folder());
          options.set("locks", LockFactory.class, builder::lockFactory);
          options.set("chunk", Long.class, builder::chunkBytes);
          options.set("preload", String[].class, names -> builder.preload(Set.of(names)));
          return builder::build;
        },
        "hybrid",
        options -> {
          HybridDirectory.Builder builder = HybridDirectory.builder(options.folder());
          options.set("locks", LockFactory.class, builder::lockFactory);
          options.set("chunk", Long.class, builder::chunkBytes);
          options.set("memory", Long.class, bytes -> builder.memoryBytes(() -> bytes));
          options.set("directMerge", Long.class, builder::directMergeBytes);
          options.set("mapped", String[].class, read(builder, AccessMode.MAPPED));
          options.set("mappedRandom", String[].class, read(builder, AccessMode.MAPPED_RANDOM));
          options.set("positional", String[].class, read(builder, AccessMode.POSITIONAL));
          return builder::build;
        });
  }

  private static Consumer<String[]> read(HybridDirectory.Builder builder, AccessMode mode) {
    return names -> List.of(names).forEach(name -> builder.read(name, mode));
  }
}
