package io.github.lucenedirectories.internal.mmap;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;

/** {@code hybrid:FOLDER}. */
public final class HybridProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "hybrid";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    HybridDirectory.Builder builder = HybridDirectory.builder(options.folder());
    options.locks(builder::lockFactory);
    options.bytes("chunk", builder::chunkBytes);
    options.bytes("memory", bytes -> builder.memoryBytes(() -> bytes));
    options.bytes("directMerge", builder::directMergeBytes);
    options.names("mapped", extension -> builder.read(extension, AccessMode.MAPPED));
    options.names("mappedRandom", extension -> builder.read(extension, AccessMode.MAPPED_RANDOM));
    options.names("positional", extension -> builder.read(extension, AccessMode.POSITIONAL));
    return builder::build;
  }
}
